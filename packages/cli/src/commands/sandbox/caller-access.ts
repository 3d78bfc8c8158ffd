import { readFileSync } from 'node:fs';
import { partitionOfRegion } from '@nodewright/apis';
import { type AccessRefusal, type CallerAccess, IamPolicyError, parseIamPolicy } from '@nodewright/aws-endpoints';
import { buildIamPolicy } from '@nodewright/manifests';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';
import type { SandboxFlags } from './flags.ts';
import type { Settings } from './settings.ts';

type AccessFlags = Pick<SandboxFlags, 'iamPolicy' | 'denyUnlisted' | 'controller'>;

/**
 * What `--iam-policy` and `--deny-unlisted` ask for; nothing without them.
 * @throws InputError with every mistake of the policy
 */
export function readCallerAccess(
  { iamPolicy: file, denyUnlisted = false, controller }: AccessFlags,
  settings: Pick<Settings, 'clusterName' | 'region'>,
  print: (line: string) => void,
): CallerAccess | undefined {
  if (file === undefined && !denyUnlisted) return undefined;
  const text = file === undefined ? JSON.stringify(policyOfSandbox(settings)) : readPolicyFile(file);
  return {
    of: controller ? 'direct' : 'signed',
    rules: {
      policy: parsePolicyOf(file ?? 'the policy of the controller', text),
      mode: denyUnlisted ? 'tell' : 'enforce',
      onRefusal: printOnce(denyUnlisted ? 'the policy would refuse' : 'the policy refused', print),
    },
  };
}

function readPolicyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    throw new InputError(`--iam-policy ${file}: ${explainFileFailure(failure)}`, { cause: failure });
  }
}

function parsePolicyOf(source: string, text: string) {
  try {
    return parseIamPolicy(text);
  } catch (failure) {
    if (!(failure instanceof IamPolicyError)) throw failure;
    throw new InputError(failure.complaints.map((each) => `${source}: ${each}`).join('\n'), { cause: failure });
  }
}

/** The policy of the controller for the account of a sandbox. Its two roles of nodes differ in one letter. */
const policyOfSandbox = ({ clusterName, region }: Pick<Settings, 'clusterName' | 'region'>) =>
  buildIamPolicy(
    {
      partition: partitionOfRegion(region).name,
      region,
      accountId: '111122223333',
      clusterName,
      nodeRole: `?arpenterNodeRole-${clusterName}`,
      queue: clusterName,
      parameters: [],
    },
    new Set(['nodePools', 'nodeGroups']),
  );

/** A controller comes back with a call that was refused: each action on a kind of resource is told once. */
function printOnce(what: string, print: (line: string) => void): (refusal: AccessRefusal) => void {
  const told = new Set<string>();
  return ({ action, resource, isExplicit }) => {
    const kind = `${action} ${resource.split('/', 1).join('')}`;
    if (told.has(kind)) return;
    told.add(kind);
    print(`${what} ${action} on ${resource}${isExplicit ? ': a statement denies it' : ': no statement allows it'}`);
  };
}
