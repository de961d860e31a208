"""Rulesets as environments of libraries for learning: PettingZoo, Gymnasium, OpenSpiel."""

from polis_rules.environments.actions import Actions, EncodingError
from polis_rules.environments.episode import Episode, Table
from polis_rules.environments.libraries import (
    LibraryMissingError,
    gymnasium_environment,
    open_spiel_game,
    pettingzoo_environment,
)
from polis_rules.environments.observations import Field, Observations
