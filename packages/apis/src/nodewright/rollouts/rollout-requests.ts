/** What a person may ask of a rollout. */
export const rolloutRequestKinds = ['approve', 'halt', 'resume', 'rollback', 'skip-soak'] as const;

export type RolloutRequestKind = (typeof rolloutRequestKinds)[number];

/** The annotation of a NodeRollout that carries a request. Its value is a reason, a wave, or `<wave>=<reason>`. */
export const rolloutRequestAnnotation = (kind: RolloutRequestKind): string => `nodewright.dev/${kind}`;
