import os
import socket
import time


def answer(connection, asked):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(60):
        connection.sendall(b" ")
        time.sleep(1)


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
