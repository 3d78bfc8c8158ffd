/** What Karpenter's Go scheduler answers for a recorded problem; it breaks some ties by chance, hence the ranges. */
export type ReferenceAnswer = {
  readonly nodes: number;
  readonly lowestPrice: number;
  readonly highestPrice: number;
  readonly unschedulable: number;
};

/** By the file's name without its ending, and the preference policy where that is not the file's own. */
export const referenceAnswers: Readonly<Record<string, ReferenceAnswer>> = {
  'diverse-5000': { nodes: 1000, lowestPrice: 1768.26, highestPrice: 1773.29, unschedulable: 0 },
  'preference-4000': { nodes: 4000, lowestPrice: 2517.99, highestPrice: 2517.99, unschedulable: 0 },
  'preference-4000 Ignore': { nodes: 16, lowestPrice: 1893.53, highestPrice: 1893.53, unschedulable: 0 },
  'catalogue-2000': { nodes: 21, lowestPrice: 40.62, highestPrice: 42.54, unschedulable: 0 },
};
