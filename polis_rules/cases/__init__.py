"""Rule cases: a position, some decisions, and what must come of them; see docs/cases.md."""

from polis_rules.cases.checking import Plan, check
from polis_rules.cases.of_variants import check_changed, own_cases, with_variants
from polis_rules.cases.proven import check_proven
from polis_rules.cases.reading import FOLDER, INHERITED, Case, Known, is_inside, read_case_file, read_cases
from polis_rules.cases.runner import Runner, inspect_cases, run_cases
from polis_rules.cases.running import Stopped, play, stopped, told_as_played
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import CaseResult
from polis_rules.cases.text import CaseFileError
from polis_rules.cases.writing import Written, case_of, failing_case, write_case
