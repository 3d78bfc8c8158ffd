import type { AwsAuthMap, RoleMapping } from '@nodewright/aws-endpoints';
import { type ApiServer, parseYamlWithinLimits } from '@nodewright/kube-api';

const mapPlace = { namespace: 'kube-system', name: 'aws-auth' };

/** Reads the ConfigMap that maps roles to users. A key that is no list of mappings has no effect, as on EKS. */
export function readAwsAuth(kubernetes: Pick<ApiServer, 'findObject'>): AwsAuthMap | undefined {
  const data = kubernetes.findObject('configmaps', mapPlace)?.['data'] as Readonly<Record<string, string>> | undefined;
  if (data === undefined) return undefined;
  return {
    roles: readYamlList(data['mapRoles']).flatMap(readUserMapping),
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

function readUserMapping(value: unknown): readonly RoleMapping[] {
  const { rolearn, username, groups } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof rolearn !== 'string') return [];
  return [
    {
      rolearn,
      username: typeof username === 'string' ? username : '',
      groups: Array.isArray(groups) ? groups.map(String) : [],
    },
  ];
}
