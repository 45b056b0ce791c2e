"""HTTP and the process: the additions to Streamlit's server."""
