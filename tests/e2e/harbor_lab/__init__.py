"""What a real Harbor is given in a test: a box that needs no container engine, an agent that does what its prompt says. Harbor
imports these modules in its own interpreter; nothing here may import the product."""
