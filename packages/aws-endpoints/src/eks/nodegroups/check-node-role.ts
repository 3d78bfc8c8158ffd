import type { Iam } from '../../iam/model.ts';
import { evaluateTrust } from '../../sts/evaluate-trust.ts';
import { type GroupPlace, invalidParameter } from '../errors.ts';

/** Checks that the nodes of a group can take their role. @throws AwsError */
export function checkNodeRole(arn: string, iam: Pick<Iam, 'roles'>, place: GroupPlace): void {
  const name = /^arn:aws[\w-]*:iam::\d{12}:role\/(?:.*\/)?([^/]+)$/.exec(arn)?.[1];
  const role = iam.roles().find((each) => each.name === name);
  if (role === undefined) throw invalidParameter(place, `nodeRole ${arn} is no role of this account`);
  const service = arn.startsWith('arn:aws-cn:') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
  const demand = {
    action: 'sts:AssumeRole' as const,
    principal: { kind: 'Service', names: [service] },
    context: new Map(),
  };
  if (evaluateTrust(role.trust, demand) === 'allowed') return;
  throw invalidParameter(
    place,
    `Following required service principals [${service}] were not found in the trust relationships of nodeRole ${arn}`,
  );
}
