"""What of Streamlit is replaced: docs/decisions/replaced-in-streamlit.md."""
