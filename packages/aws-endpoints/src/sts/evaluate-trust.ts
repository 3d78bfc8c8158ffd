import { readOwn } from '@nodewright/apis';
import { type AccessDecision, evaluatePolicy } from '../authorization/evaluate-policy.ts';
import type { ConditionContext, IamPolicyStatement } from '../authorization/iam-policy.ts';
import { readPolicyConditions } from '../authorization/parse-policy.ts';

/** Who wants to take a role, and how. */
export type TrustDemand = {
  readonly action: 'sts:AssumeRole' | 'sts:AssumeRoleWithWebIdentity';
  /** `AWS` or `Federated`, with the names under which a policy may mention the caller. */
  readonly principal: { readonly kind: string; readonly names: readonly string[] };
  readonly context: ConditionContext;
};

type TrustStatement = Readonly<Record<string, unknown>>;

/** Whether the trust policy of a role lets a principal assume it. A statement with an unknown condition never applies. */
export function evaluateTrust(trust: string, { action, principal, context }: TrustDemand): AccessDecision {
  const { Statement: given } = JSON.parse(trust) as { readonly Statement?: TrustStatement | readonly TrustStatement[] };
  const statements = [given ?? []].flat() as readonly TrustStatement[];
  const about = statements.filter((statement) => namesPrincipal(statement, principal)).flatMap(readTrustStatement);
  return evaluatePolicy({ statements: about }, { action, resource: '*', context });
}

function namesPrincipal(statement: TrustStatement, { kind, names }: TrustDemand['principal']): boolean {
  const [plain, opposite] = [statement['Principal'], statement['NotPrincipal']];
  const listed = plain ?? opposite;
  const isAnybody = listed === '*';
  const values = isAnybody ? ['*'] : readTexts(readOwn(listed as TrustStatement | undefined, kind));
  const isNamed = values.includes('*') || values.some((value) => names.includes(value));
  return plain === undefined ? !isNamed : isNamed;
}

function readTrustStatement(statement: TrustStatement): readonly IamPolicyStatement[] {
  const problems: string[] = [];
  const conditions = readPolicyConditions(statement['Condition'], 'Condition', (problem) => problems.push(problem));
  if (problems.length > 0) return [];
  const isNegated = statement['Action'] === undefined;
  return [
    {
      sid: '',
      effect: statement['Effect'] === 'Deny' ? 'Deny' : 'Allow',
      actions: { patterns: readTexts(statement[isNegated ? 'NotAction' : 'Action']), isNegated },
      resources: { patterns: ['*'], isNegated: false },
      conditions,
    },
  ];
}

const readTexts = (value: unknown): readonly string[] =>
  [value ?? []].flat().filter((each): each is string => typeof each === 'string');
