"""A sandbox made by a container engine that speaks the Docker API: dockerd or Podman on this machine."""
