"""Random plans with a truth of their own, against which the certificate is judged."""
