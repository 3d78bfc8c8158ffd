/** What a step can do. The JSON schema and docs/testing.md follow this table. */
export const stepSummaries = {
  waitUntil: 'time passes until a condition holds; `within` says how long at most [15m]',
  expect: 'a condition holds now',
  advance: 'so much time passes',
  release: 'an image release comes out',
  withdraw: 'an image release is taken back',
  deprecate: 'an image release is deprecated',
  fault: 'something goes wrong, `for` a while or until `clear`',
  clear: 'all faults end',
  upgrade: 'the control plane gets another Kubernetes version; the step ends when it has it',
  updateGroup: 'EKS is asked to update a managed node group to a release [the one that it recommends]',
  kill: 'the controller dies at once, and comes back [10s later]',
  scale: 'a Deployment or StatefulSet gets another number of replicas',
  interrupt: 'EC2 reclaims spot nodes after its notice',
  terminate: 'instances of nodes end at once',
  apply: 'manifests are applied: a file, a folder, or objects written here',
  delete: 'an object is deleted',
  patch: 'an object, or every object of a kind, is changed by a merge patch',
  cordon: 'nodes are cordoned',
  uncordon: 'nodes are uncordoned',
} as const;

export type StepName = keyof typeof stepSummaries;

export const stepNames = Object.keys(stepSummaries) as readonly StepName[];

/** Fields that go with a step beside its own. */
export const stepCompanions: Partial<Readonly<Record<StepName, readonly string[]>>> = {
  waitUntil: ['within', 'because'],
  expect: ['because'],
};
