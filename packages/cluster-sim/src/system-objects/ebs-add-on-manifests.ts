import type { Container, DaemonSet, Deployment, KubernetesObject, ResourceType } from '@nodewright/apis';
import { ebsContainer, ebsDriver } from '../volumes/drivers.ts';
import { registry } from './add-on-images.ts';
import { playedScheduler } from './dns-manifests.ts';

const driverLabels = { 'app.kubernetes.io/name': 'aws-ebs-csi-driver', 'app.kubernetes.io/managed-by': 'EKS' };

export const ebsAddOnKeys = {
  node: { namespace: 'kube-system', name: 'ebs-csi-node' },
  controller: { namespace: 'kube-system', name: 'ebs-csi-controller' },
} as const;

/** The label of the controller's pods. */
export const storageControllerApp = ebsAddOnKeys.controller.name;

export const csiRegistrationKind: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
};

export const csiRegistration: KubernetesObject & { readonly spec: object } = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: ebsDriver, labels: driverLabels },
  spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
};

export const storageServiceAccounts: readonly KubernetesObject[] = ['ebs-csi-controller-sa', 'ebs-csi-node-sa'].map(
  (name) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'kube-system', name, labels: driverLabels },
  }),
);

export const storagePluginImage = (version: string): string =>
  `${registry}/eks/aws-ebs-csi-driver:${version.replace(/-eksbuild.*/, '')}`;

const storageContainer = (name: string, image: string, args: readonly string[] = []): Container => ({
  name,
  image,
  ...(args.length > 0 && { args: [...args] }),
  resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '256Mi' } },
});

const sidecarContainer = (name: string): Container => storageContainer(name, `${registry}/eks/${name}:latest`);

/** Members of pods that the cluster's own parts do not read. */
const runAs = (serviceAccountName: string): object => ({ serviceAccountName });

export function storageNodeDaemonSet(version: string): DaemonSet {
  const labels = { app: ebsAddOnKeys.node.name, ...driverLabels };
  const plugin = ['node', '--endpoint=unix:/csi/csi.sock', '--logging-format=text', '--v=2'];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { ...ebsAddOnKeys.node, labels: driverLabels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: { labels },
        spec: {
          ...runAs('ebs-csi-node-sa'),
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [
                      {
                        key: 'eks.amazonaws.com/compute-type',
                        operator: 'NotIn',
                        values: ['fargate', 'auto', 'hybrid'],
                      },
                    ],
                  },
                ],
              },
            },
          },
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-node-critical',
          tolerations: [{ operator: 'Exists' }],
          containers: [
            storageContainer(ebsContainer, storagePluginImage(version), plugin),
            ...['csi-node-driver-registrar', 'livenessprobe'].map(sidecarContainer),
          ],
        },
      },
    },
  };
}

/** Its pods take no room on nodes, as those of the cluster's DNS. */
export function storageControllerDeployment(version: string): Deployment {
  const labels = { app: storageControllerApp, ...driverLabels };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...ebsAddOnKeys.controller, labels: driverLabels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...runAs('ebs-csi-controller-sa'),
          schedulerName: playedScheduler,
          priorityClassName: 'system-cluster-critical',
          containers: [
            storageContainer(ebsContainer, storagePluginImage(version), ['controller', '--logging-format=text']),
            ...['csi-provisioner', 'csi-attacher', 'csi-resizer', 'livenessprobe'].map(sidecarContainer),
          ],
        },
      },
    },
  };
}
