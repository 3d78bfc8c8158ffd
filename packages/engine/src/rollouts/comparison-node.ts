/** The failure of a comparison, and of a check of all new nodes, has no node. */
export const comparisonNode = '*';
