import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';

const malformedPolicy = (message: string): AwsError => new AwsError('MalformedPolicyDocument', message);

/** Checks the document that says who may assume a role. @throws AwsError `MalformedPolicyDocument` */
export function checkTrustPolicy(document: string): void {
  const policy = parsePolicy(document);
  const statements = [policy['Statement']].flat();
  if (policy['Statement'] === undefined || statements.length === 0) throw malformedPolicy('Syntax errors in policy.');
  for (const statement of statements) checkStatement(statement);
}

/** @throws AwsError `MalformedPolicyDocument` for a text that is no object in JSON */
export function parsePolicy(document: string): Readonly<Record<string, unknown>> {
  const policy = parseJson(document);
  if (!isRecord(policy)) throw malformedPolicy('Syntax errors in policy.');
  return policy;
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document) as unknown;
  } catch {
    throw malformedPolicy('This policy contains invalid Json');
  }
}

function checkStatement(statement: unknown): void {
  if (!isRecord(statement)) throw malformedPolicy('Syntax errors in policy.');
  if (statement['Effect'] !== 'Allow' && statement['Effect'] !== 'Deny')
    throw malformedPolicy(`Invalid effect: ${String(statement['Effect'])}`);
  for (const prohibited of ['Resource', 'NotResource'])
    if (readOwn(statement, prohibited) !== undefined) throw malformedPolicy(`Has prohibited field ${prohibited}`);
  if (statement['Principal'] === undefined && statement['NotPrincipal'] === undefined)
    throw malformedPolicy('Missing required field Principal');
  checkPrincipals(statement['Principal'] ?? statement['NotPrincipal']);
  const actions = [statement['Action'] ?? statement['NotAction']].flat();
  if (actions[0] === undefined) throw malformedPolicy('Missing required field Action');
  if (actions.some((action) => typeof action !== 'string' || !/^(\*|sts:.+)$/i.test(action)))
    throw malformedPolicy('AssumeRole policy may only specify STS AssumeRole actions.');
}

const principalForms: Readonly<Record<string, RegExp>> = {
  AWS: /^(\*|\d{12}|arn:aws[\w-]*:(iam|sts)::(\d{12}|cloudfront):.+|A(IDA|ROA)[A-Z0-9]+)$/,
  Service: /^[\w.-]+\.(amazonaws\.com(\.cn)?|amazon\.com|aws\.internal|c2s\.ic\.gov|sc2s\.sgov\.gov)$/,
  Federated: /^(\*|[\w.-]+|arn:aws[\w-]*:iam::\d{12}:(oidc|saml)-provider\/.+)$/,
  CanonicalUser: /^[0-9a-f]+$/,
};

/** Everybody, or lists of principals by their kinds. */
function checkPrincipals(principals: unknown): void {
  if (principals === '*') return;
  if (!isRecord(principals)) throw malformedPolicy('Invalid principal in policy.');
  for (const [kind, named] of Object.entries(principals)) {
    const form = readOwn(principalForms, kind);
    for (const name of [named].flat())
      if (form === undefined || typeof name !== 'string' || !form.test(name))
        throw malformedPolicy(`Invalid principal in policy: "${kind.toUpperCase()}":"${String(name)}"`);
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
