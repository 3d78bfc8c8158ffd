import { readOwn } from '@nodewright/apis';
import { accountIdOfArn } from '../../account.ts';
import { noSuchIamRole } from '../../iam/errors.ts';
import type { Iam } from '../../iam/model.ts';
import { type GroupPlace, invalidParameter, writeErrorOfService } from '../errors.ts';

/** Checks that the nodes of a group can take their role. @throws AwsError */
export function checkNodeRole(arn: string, iam: Pick<Iam, 'roles' | 'arnOf'>, place: GroupPlace): void {
  const name = /^arn:aws[\w-]*:iam::\d{12}:role\/(?:.*\/)?([^/]+)$/.exec(arn)?.[1];
  if (name === undefined) throw invalidParameter(place, `nodeRole ${arn} is no ARN of a role`);
  if (accountIdOfArn(arn) !== accountIdOfArn(iam.arnOf('root')))
    throw invalidParameter(place, 'Cross-account pass role is not allowed.');
  const role = iam.roles().find((each) => each.name === name);
  if (role === undefined) throw invalidParameter(place, writeErrorOfService('Iam', noSuchIamRole(name)));
  const service = arn.startsWith('arn:aws-cn:') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
  if (listTrustedServices(role.trust).includes(service)) return;
  throw invalidParameter(
    place,
    `Following required service principals [${service}] were not found in the trust relationships of nodeRole ${arn}`,
  );
}

type TrustedPrincipals = { readonly Effect?: string; readonly Principal?: unknown };

/** The services that a trust policy allows. EKS looks at the principals alone, not at actions and conditions. */
export function listTrustedServices(trust: string): readonly unknown[] {
  const { Statement = [] } = JSON.parse(trust) as { Statement?: TrustedPrincipals | readonly TrustedPrincipals[] };
  return [Statement].flat().flatMap(({ Effect, Principal }: TrustedPrincipals) => {
    if (Effect !== 'Allow' || typeof Principal !== 'object' || Principal === null) return [];
    return [readOwn(Principal as Readonly<Record<string, unknown>>, 'Service') ?? []].flat();
  });
}
