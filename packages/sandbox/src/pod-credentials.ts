import type { Aws } from '@nodewright/aws-endpoints';
import type { ApiObject, PodCredentials } from '@nodewright/kube-api';

const daySeconds = 86_400;
const agentAddress = 'http://169.254.170.23/v1/credentials';

type CredentialsWorld = { readonly eks: Pick<Aws['eks'], 'clusterName' | 'podIdentities'>; readonly region: string };

/**
 * What the webhook of EKS adds to the pods of a service account: the token of its pod identity, else the one of the role
 * that the annotation `eks.amazonaws.com/role-arn` names.
 */
export function findPodCredentials(world: CredentialsWorld, { metadata }: ApiObject): PodCredentials | undefined {
  const { eks } = world;
  const hasIdentity = [...eks.podIdentities.values()].some(
    ({ clusterName, namespace, serviceAccount }) =>
      clusterName === eks.clusterName && namespace === metadata.namespace && serviceAccount === metadata.name,
  );
  return hasIdentity ? identityCredentials(world.region) : roleCredentials(world.region, metadata.annotations ?? {});
}

const regionVariables = (region: string) => [
  { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' },
  { name: 'AWS_DEFAULT_REGION', value: region },
  { name: 'AWS_REGION', value: region },
];

function identityCredentials(region: string): PodCredentials {
  const mountPath = '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount';
  const path = 'eks-pod-identity-token';
  return {
    volume: 'eks-pod-identity-token',
    mountPath,
    token: { audience: 'pods.eks.amazonaws.com', expirationSeconds: daySeconds, path },
    environment: [
      ...regionVariables(region),
      { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: agentAddress },
      { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: `${mountPath}/${path}` },
    ],
  };
}

function roleCredentials(region: string, annotations: Readonly<Record<string, string>>): PodCredentials | undefined {
  const role = annotations['eks.amazonaws.com/role-arn'] ?? '';
  if (role === '') return undefined;
  const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount';
  const expirationSeconds = Number(annotations['eks.amazonaws.com/token-expiration'] ?? daySeconds) || daySeconds;
  const audience = annotations['eks.amazonaws.com/audience'] ?? 'sts.amazonaws.com';
  return {
    volume: 'aws-iam-token',
    mountPath,
    token: { audience, expirationSeconds, path: 'token' },
    environment: [
      ...regionVariables(region),
      { name: 'AWS_ROLE_ARN', value: role },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${mountPath}/token` },
    ],
  };
}
