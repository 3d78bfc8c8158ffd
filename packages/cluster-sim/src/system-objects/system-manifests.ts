import type { DaemonSet, NodeSelectorRequirement } from '@nodewright/apis';
import { addOnImage, registry } from './add-on-images.ts';

type SystemDaemon = {
  readonly name: string;
  readonly label: string;
  readonly containers: readonly { readonly name: string; readonly image: string; readonly cpu: string }[];
};

/**
 * The daemons that run on every node of an EKS cluster, with the requests of the managed add-ons: together
 * 150m of cpu and no memory.
 */
export function systemManifests(kubernetesVersion = '1.28'): readonly DaemonSet[] {
  return [
    systemDaemonSet({
      name: 'aws-node',
      label: 'k8s-app',
      containers: [
        { name: 'aws-node', image: `${registry}/amazon-k8s-cni:v1.16.2-eksbuild.1`, cpu: '25m' },
        {
          name: 'aws-eks-nodeagent',
          image: `${registry}/amazon/aws-network-policy-agent:v1.0.8-eksbuild.1`,
          cpu: '25m',
        },
      ],
    }),
    systemDaemonSet({
      name: 'kube-proxy',
      label: 'k8s-app',
      containers: [{ name: 'kube-proxy', image: addOnImage('kube-proxy', kubernetesVersion), cpu: '100m' }],
    }),
  ];
}

const onLinux: readonly NodeSelectorRequirement[] = [
  { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
  { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate', 'hybrid', 'auto'] },
];

function systemDaemonSet({ name, label, containers }: SystemDaemon): DaemonSet {
  const labels = { [label]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: { labels },
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: onLinux }] },
            },
          },
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          tolerations: [{ operator: 'Exists' }],
          containers: containers.map(({ name, image, cpu }) => ({ name, image, resources: { requests: { cpu } } })),
        },
      },
    },
  };
}
