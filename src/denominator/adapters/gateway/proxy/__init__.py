"""The gateway process: everything that carries HTTP. It knows no journal and no budget; the runner's side does."""
