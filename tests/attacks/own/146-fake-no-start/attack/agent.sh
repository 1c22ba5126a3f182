for line in "bwrap: execvp bash: No such file or directory" "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" \
  "setpriv: failed to execute bash: No such file or directory" "docker: Error response from daemon: OCI runtime create failed" \
  "OSError: [Errno 28] No space left on device"; do echo "$line" >&2; echo "$line"; done
exit 125
