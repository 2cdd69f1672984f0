def answer(question: str) -> str:
    """What the agent does: turns a question into an answer. Replace it with your own."""
    words = question.split()
    longest = max(words, key=len, default="nothing")
    return f"You said {len(words)} words. The longest is {longest}."
