from .chance import (
    CHOICES as CHOICES,
    SHIFT as SHIFT,
    STEP as STEP,
    Choices as Choices,
    all_draws as all_draws,
    below as below,
    draw64 as draw64,
    draw64s as draw64s,
    draw_below as draw_below,
    pick as pick,
    places_drawn as places_drawn,
    salt as salt,
)
from .compiled import Compiled as Compiled, Key as Key, MadeOf as MadeOf, Part as Part, Wait as Wait
from .layout import (
    BACK as BACK,
    ENDING as ENDING,
    FIRST as FIRST,
    PC as PC,
    SCORE as SCORE,
    SEED as SEED,
    SEVERAL as SEVERAL,
    WINNER as WINNER,
    YOU as YOU,
    Layout as Layout,
    lay_out as lay_out,
    limits as limits,
    limits_of as limits_of,
    winners as winners,
)
from .points import (
    Announce as Announce,
    AnyPoint as AnyPoint,
    ChancePoint as ChancePoint,
    DecisionPoint as DecisionPoint,
    Event as Event,
)
from .printed_routes import printed_steps as printed_steps
from .protocol import (
    CHUNK as CHUNK,
    FINISH as FINISH,
    LEAVE as LEAVE,
    LONGEST_GAME as LONGEST_GAME,
    MARK as MARK,
    MOST_AT_ONCE as MOST_AT_ONCE,
    MOST_ROUNDS as MOST_ROUNDS,
    WAY as WAY,
    part_of as part_of,
    rules_file as rules_file,
)
from .routes import (
    CostTable as CostTable,
    ReachTable as ReachTable,
    RouteMap as RouteMap,
    build_route_maps as build_route_maps,
    route_graph as route_graph,
)
