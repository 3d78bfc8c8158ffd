/**
 * How nodes of an image behave once they run: what tells a bad image from a good one. A node that stops renewing is
 * dead after two hours; one that is not ready joins, and its network never comes up.
 */
export const nodeBehaviors = [
  'healthy',
  'neverJoins',
  'joinsLate',
  'stopsRenewing',
  'notReady',
  'containersFail',
  'gpuMissing',
] as const;

/** The families of images that nodes of EKS boot. */
export const releaseFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Ubuntu',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;
