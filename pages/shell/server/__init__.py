"""HTTP and the process: what the server adds to Streamlit's."""
