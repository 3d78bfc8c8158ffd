import type { ApiObject } from '../storage/api-object.ts';

export const flowGroup = 'flowcontrol.apiserver.k8s.io';

const bootstrapMetadata = (name: string): ApiObject['metadata'] => ({
  name,
  generation: 1,
  annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' },
});

type LimitedLevel = {
  readonly shares: number;
  readonly lendable: number;
  /** Without queues, requests beyond the limit are refused. */
  readonly queues?: number;
  readonly handSize?: number;
};

/** A priority level whose requests share seats. */
export const limitedLevel = (name: string, { shares, lendable, queues, handSize }: LimitedLevel): ApiObject =>
  priorityLevel(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse:
        queues === undefined
          ? { type: 'Reject' }
          : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
      lendablePercent: lendable,
    },
  });

/** A priority level whose requests never wait. */
export const exemptLevel = (name: string): ApiObject =>
  priorityLevel(name, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } });

const priorityLevel = (name: string, spec: object): ApiObject => ({
  kind: 'PriorityLevelConfiguration',
  apiVersion: `${flowGroup}/v1`,
  metadata: bootstrapMetadata(name),
  spec,
  status: {},
});

/** Which requests a flow takes, by what they ask for. */
export type FlowRules = { readonly resourceRules?: readonly object[]; readonly nonResourceRules?: readonly object[] };

/** All requests for resources and paths. */
export const everyRequest: FlowRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

type BootstrapFlow = {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  /** `Group NAME`, `User NAME` or `ServiceAccount NAME`, the last in `kube-system`. */
  readonly subjects: readonly string[];
  readonly rules: FlowRules;
};

/** A flow schema of every cluster. */
export const bootstrapFlow = (name: string, { level, precedence, by, subjects, rules }: BootstrapFlow): ApiObject => ({
  kind: 'FlowSchema',
  apiVersion: `${flowGroup}/v1`,
  metadata: bootstrapMetadata(name),
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by && { distinguisherMethod: { type: by } }),
    rules: [{ subjects: subjects.map(flowSubject), ...rules }],
  },
});

function flowSubject(text: string): object {
  const [kind = '', name = ''] = text.split(' ');
  switch (kind) {
    case 'User':
      return { kind, user: { name } };
    case 'Group':
      return { kind, group: { name } };
    default:
      return { kind, serviceAccount: { namespace: 'kube-system', name } };
  }
}
