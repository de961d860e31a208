"""What writes rule files: new rulesets, canonical form, migrations."""

from polis_rules.authoring.canonical import flow, resolved
from polis_rules.authoring.changing import Value, in_place, operation_at, with_key, with_operation, without_line
from polis_rules.authoring.migrations import migrate, with_edits
from polis_rules.authoring.scaffold import begin, begin_small
from polis_rules.authoring.unified import unified
