"""Views of the page on fewer keys: heads that share keys, the saving in the cache, and keys made of a short vector."""

from pages.shell.views.fewer_keys import blurred as averages
from pages.shell.views.fewer_keys import cached, latent, readers, repair, trade, training
from pages.shell.views.registry import View

played = View("fewer_keys.training", training.training)
shared = View("fewer_keys.readers", readers.readers)
blurred = View("fewer_keys.blurred", averages.blurred)
matters = View("fewer_keys.matters", cached.matters)
repaired = View("fewer_keys.repair", repair.repair)
traded = View("fewer_keys.trade", trade.trade)
one = View("fewer_keys.one", readers.one)
tiled = View("fewer_keys.tiled", readers.tiled)
models = View("fewer_keys.models", cached.models)
own = View("fewer_keys.own", cached.own)
latent_lead = View("fewer_keys.latent_lead", latent.lead)
kept = View("fewer_keys.latent", latent.latent)
lost = View("fewer_keys.latent_costs", latent.costs)
latent_wrong = View("fewer_keys.latent_wrong", latent.wrong)
