import type { Condition, Pod, PodSpec, ResourceList } from '@nodewright/apis';

type PodTraits = Partial<Omit<PodSpec, 'containers' | 'resources'>> & {
  readonly requests?: ResourceList;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** `Node`: a kubelet runs it from a file. */
  readonly ownerKind?: 'ReplicaSet' | 'DaemonSet' | 'StatefulSet' | 'Node';
  readonly hostPort?: number;
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly deleting?: boolean;
};

const unschedulable: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };

const ready: Condition = { type: 'Ready', status: 'True' };

/** A pod with one container; pending and found unschedulable unless it has a node, where it runs and is ready. */
export function aPod(name: string, traits: PodTraits = {}): Pod {
  const {
    requests,
    namespace = 'default',
    labels,
    annotations,
    ownerKind,
    hostPort,
    phase,
    deleting,
    ...spec
  } = traits;
  const bound = spec.nodeName !== undefined;
  const actual = phase ?? (bound ? 'Running' : 'Pending');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(deleting === true ? { deletionTimestamp: '2024-01-01T00:00:00Z' } : {}),
      ...(ownerKind === undefined
        ? {}
        : {
            ownerReferences: [
              {
                apiVersion: ownerKind === 'Node' ? 'v1' : 'apps/v1',
                kind: ownerKind,
                name: 'owner',
                uid: 'uid-owner',
                controller: true,
              },
            ],
          }),
    },
    spec: {
      ...spec,
      containers: [
        {
          name: 'main',
          ...(requests === undefined ? {} : { resources: { requests } }),
          ...(hostPort === undefined ? {} : { ports: [{ containerPort: hostPort, hostPort }] }),
        },
      ],
    },
    status: { phase: actual, ...conditionsOf(bound, actual) },
  };
}

function conditionsOf(bound: boolean, phase: string): { readonly conditions?: readonly Condition[] } {
  if (!bound) return { conditions: [unschedulable] };
  return phase === 'Running' ? { conditions: [ready] } : {};
}

/** Equal pods `name-1`, `name-2` and so on. */
export const somePods = (count: number, name: string, traits: PodTraits = {}): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => aPod(`${name}-${index + 1}`, traits));
