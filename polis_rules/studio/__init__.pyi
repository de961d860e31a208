from .gallery import Gallery as Gallery
from .password import Password as Password, is_loopback as is_loopback
from .server import (
    LOOPBACK as LOOPBACK,
    address as address,
    application as application,
    free_place as free_place,
    serve as serve,
    usual_port as usual_port,
)
from .studio import Studio as Studio
from .switching import Opened as Opened
