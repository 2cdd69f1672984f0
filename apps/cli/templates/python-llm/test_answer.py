import json
import os
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from answer import answer


class Model(BaseHTTPRequestHandler):
    asked: dict = {}

    def do_POST(self):
        Model.asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.headers["Authorization"] == "Bearer key" and self.path == "/chat/completions"
        self.send_response(200 if known else 401)
        self.end_headers()
        self.wfile.write(b'{"choices": [{"message": {"content": "Paris."}}]}')

    def log_message(self, *_):
        pass


class AnswerTest(unittest.TestCase):
    def test_asks_the_model_with_the_key_and_the_question(self):
        server = HTTPServer(("127.0.0.1", 0), Model)
        self.addCleanup(server.server_close)
        Thread(target=server.handle_request).start()
        os.environ["OPENAI_BASE_URL"] = f"http://127.0.0.1:{server.server_port}"
        os.environ.update(OPENAI_API_KEY="key", MODEL="small")
        self.assertEqual(answer("What is the capital of France?"), "Paris.")
        self.assertEqual(Model.asked["model"], "small")
        self.assertEqual(Model.asked["messages"][-1]["content"], "What is the capital of France?")
