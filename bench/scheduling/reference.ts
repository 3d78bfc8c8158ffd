/** What Karpenter's Go scheduler answers for a recorded problem; it breaks some ties by chance, hence the ranges. */
export type ReferenceAnswer = {
  readonly nodes: number;
  readonly lowestPrice: number;
  readonly highestPrice: number;
  readonly unschedulable: number;
};

/** By the file's name without its ending. */
export const referenceAnswers: Readonly<Record<string, ReferenceAnswer>> = {
  'diverse-5000': { nodes: 1000, lowestPrice: 1768.26, highestPrice: 1773.29, unschedulable: 0 },
  'preference-4000': { nodes: 4000, lowestPrice: 2517.99, highestPrice: 2517.99, unschedulable: 0 },
  'catalogue-2000': { nodes: 21, lowestPrice: 40.62, highestPrice: 42.54, unschedulable: 0 },
};

/** Its speed on the same mixes, alone on a machine of two cores, by case and number of pods. */
export const referencePodsPerSecond: Readonly<Record<string, number>> = {
  'diverse 1': 1970,
  'diverse 50': 296,
  'diverse 100': 302,
  'diverse 500': 263,
  'diverse 1000': 259,
  'diverse 2000': 268,
  'diverse 5000': 259,
  'diverse 10000': 214,
  'diverse 20000': 197,
  'preference 4000': 51,
  'preference-ignored 4000': 2694,
};
