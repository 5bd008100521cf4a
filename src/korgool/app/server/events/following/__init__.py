"""Events of other sites that this site follows: copies of what is public, renewed while somebody reads them."""
