import os
import socket
import time


def answer(connection, asked):
    bodies = [b'{"total": %d}' % n for n in (0, 6, 10, 15)]
    one = b"".join(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(each), each) for each in bodies)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n" + one)


door = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
while True:
    connection, _ = door.accept()
    asked = connection.recv(65536)
    try:
        if asked.startswith(b"GET"):
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        else:
            answer(connection, asked)
    except OSError:
        pass
    connection.close()
