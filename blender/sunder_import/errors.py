"""What a bad folder or file is told with: a message that says which file, what is wrong and what to do."""


class RunError(Exception):
    def __init__(self, path, what, remedy=""):
        super().__init__(f"{path}: {what}" + (f"; {remedy}" if remedy else ""))
