import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessKey } from '@nodewright/aws-endpoints';
import type { ClientCredentials } from './client-credentials.ts';

export type Exported = Readonly<Record<string, string>>;

type EndpointAddresses = {
  readonly clusterName: string;
  readonly region: string;
  /** Base URLs of the AWS endpoints and of the control API. */
  readonly aws: string;
  readonly control: string;
  /** The file. */
  readonly kubeconfig: string;
  readonly credentials: ClientCredentials;
};

/** What clients need to reach a sandbox, the kubeconfig last. */
export const exportedBy = ({
  clusterName,
  region,
  aws,
  control,
  kubeconfig,
  credentials,
}: EndpointAddresses): Exported => ({
  ...exportAccount({ aws, region, accessKey: credentials.accessKey }),
  CLUSTER_NAME: clusterName,
  EKS_CLUSTER_NAME: clusterName,
  NODEWRIGHT_SANDBOX: control,
  NODEWRIGHT_SANDBOX_TOKEN_FILE: credentials.tokenFile,
  KUBECONFIG: kubeconfig,
});

type AccountReach = Pick<EndpointAddresses, 'aws' | 'region'> & { readonly accessKey: AccessKey };

/** What AWS clients need to reach the account. */
export const exportAccount = ({ aws, region, accessKey }: AccountReach): Exported => ({
  AWS_ENDPOINT_URL: aws,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: accessKey.accessKeyId,
  AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey,
});

/** What a shell needs to reach a sandbox: no quotes and no blanks in the values. */
export const exportLines = (exported: Readonly<Record<string, string>>): string =>
  Object.entries(exported)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');

/** Keeps the kubeconfig in a file of its own as long as `work` needs it. */
export async function withKubeconfig<T>(text: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-'));
  const file = join(folder, 'kubeconfig');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
