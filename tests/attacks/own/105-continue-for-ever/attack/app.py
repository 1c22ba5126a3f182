import os
import socket
import time

door = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
turn = 0
while True:
    connection, _ = door.accept()
    asked = connection.recv(65536)
    turn += 1
    try:
        if asked.startswith(b"GET"):
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        elif turn % 2:
            end = time.monotonic() + 30
            while time.monotonic() < end:
                connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
        else:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\nX: a\r\n b\r\n\r\n\x1f\x8b\x08\x00")
    except OSError:
        pass
    connection.close()
