/** TODO: purpose. */
