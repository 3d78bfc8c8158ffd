import type { NodeClaimTemplate, NodePool } from '@nodewright/apis';

type NodePoolTraits = Partial<NodeClaimTemplate['spec']> &
  Partial<Omit<NodePool['spec'], 'template'>> & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };

/** A NodePool that admits everything unless told otherwise. */
export function aNodePool(name = 'default', traits: NodePoolTraits = {}): NodePool {
  const { labels, annotations, disruption, limits, weight, replicas, ...template } = traits;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, uid: `uid-${name}` },
    spec: {
      template: {
        metadata: {
          ...(labels === undefined ? {} : { labels }),
          ...(annotations === undefined ? {} : { annotations }),
        },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [],
          ...template,
        },
      },
      ...(disruption === undefined ? {} : { disruption }),
      ...(limits === undefined ? {} : { limits }),
      ...(weight === undefined ? {} : { weight }),
      ...(replicas === undefined ? {} : { replicas }),
    },
  };
}
