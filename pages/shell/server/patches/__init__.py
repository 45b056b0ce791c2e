"""What of Streamlit, and of its server, is replaced: docs/decisions/replaced-in-streamlit.md."""
