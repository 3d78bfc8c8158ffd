import type { AwsAuthMap } from '@nodewright/aws-endpoints';
import { type ApiServer, parseYamlWithinLimits } from '@nodewright/kube-api';

const mapPlace = { namespace: 'kube-system', name: 'aws-auth' };

/** Reads the ConfigMap that maps roles and users of IAM to users of the cluster. A key that is no list of mappings has no effect, as on EKS. */
export function readAwsAuth(kubernetes: Pick<ApiServer, 'findObject'>): AwsAuthMap | undefined {
  const data = kubernetes.findObject('configmaps', mapPlace)?.['data'] as Readonly<Record<string, string>> | undefined;
  if (data === undefined) return undefined;
  return {
    roles: readMappings(data['mapRoles'], 'rolearn').map(({ arn: rolearn, ...user }) => ({ rolearn, ...user })),
    users: readMappings(data['mapUsers'], 'userarn').map(({ arn: userarn, ...user }) => ({ userarn, ...user })),
    accounts: readYamlList(data['mapAccounts']).map(String),
  };
}

function readYamlList(text: string | undefined): readonly unknown[] {
  try {
    const value: unknown = parseYamlWithinLimits(text ?? '');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function readMappings(text: string | undefined, member: 'rolearn' | 'userarn') {
  return readYamlList(text).flatMap((value) => {
    const { [member]: arn, username, groups } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof arn !== 'string') return [];
    return [
      {
        arn,
        username: typeof username === 'string' ? username : '',
        groups: Array.isArray(groups) ? groups.map(String) : [],
      },
    ];
  });
}
