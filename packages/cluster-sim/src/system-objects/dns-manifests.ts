import type { ConfigMap, Container, Deployment, KubernetesObject, ResourceType, Service } from '@nodewright/apis';
import { addOnImage } from './add-on-images.ts';

const dnsNamespace = 'kube-system';

/** The address of the cluster's DNS in EKS's default range of services. */
export const dnsAddress = '10.100.0.10';

/** A scheduler that does not exist: pods of this name wait for who plays them. */
export const playedScheduler = 'nodewright-sandbox';

const dnsLabels = { 'eks.amazonaws.com/component': 'coredns', 'k8s-app': 'kube-dns' };

export const serviceAccountKind: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

export const dnsServiceAccount: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'coredns', namespace: dnsNamespace, labels: dnsLabels },
};

export const corednsConfig: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'coredns', namespace: dnsNamespace, labels: dnsLabels },
  data: {
    Corefile: [
      '.:53 {',
      '    errors',
      '    health',
      '    kubernetes cluster.local in-addr.arpa ip6.arpa',
      '    forward . /etc/resolv.conf',
      '    cache 30',
      '}',
      '',
    ].join('\n'),
  },
};

export const dnsService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kube-dns',
    namespace: dnsNamespace,
    labels: { ...dnsLabels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
  },
  spec: {
    clusterIP: dnsAddress,
    selector: { 'k8s-app': 'kube-dns' },
    ports: [
      { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
      { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
      { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
    ],
  },
};

/** Its pods take no room on nodes: a cluster without nodes has its DNS, and no node is launched for it. */
export const dnsDeployment = (kubernetesVersion: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'coredns', namespace: dnsNamespace, labels: dnsLabels },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
    selector: { matchLabels: dnsLabels },
    template: {
      metadata: { labels: dnsLabels },
      spec: {
        schedulerName: playedScheduler,
        priorityClassName: 'system-cluster-critical',
        containers: [dnsContainer(kubernetesVersion)],
      },
    },
  },
});

const dnsContainer = (kubernetesVersion: string): Container => ({
  name: 'coredns',
  image: addOnImage('coredns', kubernetesVersion),
  args: ['-conf', '/etc/coredns/Corefile'],
  ports: [
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9153, protocol: 'TCP' },
  ],
  resources: { requests: { cpu: '100m', memory: '70Mi' }, limits: { memory: '170Mi' } },
});
