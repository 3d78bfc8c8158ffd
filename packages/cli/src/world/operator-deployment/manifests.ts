import type { Container, Deployment, KubernetesObject, ResourceType, Service } from '@nodewright/apis';

export type OperatorDeploymentName = { readonly namespace: string; readonly name: string };

/** A scheduler that does not exist: pods of this name wait for the process that plays them. */
export const operatorScheduler = 'nodewright-sandbox';

export const operatorPorts = { metrics: 8080, health: 8081 } as const;

export type EnvironmentVariable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
};

/** With these a `helm upgrade --install` of the chart takes the objects over. */
const ownedByHelm = ({ namespace, name }: OperatorDeploymentName) => ({
  labels: {
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/name': 'karpenter',
    'app.kubernetes.io/managed-by': 'Helm',
  },
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace },
});

const podLabels = (name: string) => ({
  'app.kubernetes.io/instance': name,
  'app.kubernetes.io/name': 'karpenter',
});

export const operatorServiceAccounts: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

/** The annotation names the role of the controller, as the chart does for `serviceAccount.annotations`. */
export function operatorServiceAccount(at: OperatorDeploymentName, roleArn: string | undefined): KubernetesObject {
  const { labels, annotations } = ownedByHelm(at);
  const role = roleArn === undefined ? {} : { 'eks.amazonaws.com/role-arn': roleArn };
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { ...at, labels, annotations: { ...annotations, ...role } },
  };
}

export const operatorService = (at: OperatorDeploymentName): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...at, ...ownedByHelm(at) },
  spec: {
    type: 'ClusterIP',
    ports: [{ name: 'http-metrics', port: operatorPorts.metrics, targetPort: 'http-metrics', protocol: 'TCP' }],
    selector: podLabels(at.name),
  },
});

export const operatorDeployment = (
  at: OperatorDeploymentName,
  environment: readonly EnvironmentVariable[],
): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...at, ...ownedByHelm(at) },
  spec: {
    replicas: 1,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    selector: { matchLabels: podLabels(at.name) },
    template: {
      metadata: { labels: podLabels(at.name) },
      spec: {
        schedulerName: operatorScheduler,
        serviceAccountName: at.name,
        priorityClassName: 'system-cluster-critical',
        containers: [operatorContainer(environment)],
      },
    },
  } as Deployment['spec'],
});

const operatorContainer = (env: readonly EnvironmentVariable[]): Container & { readonly env: typeof env } => ({
  name: 'controller',
  image: 'public.ecr.aws/nodewright/controller',
  ports: [
    { name: 'http-metrics', containerPort: operatorPorts.metrics },
    { name: 'http', containerPort: operatorPorts.health },
  ],
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
  env,
});
