import type { AttachedPolicy } from '@aws-sdk/client-iam';
import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { badMarker, notAttached } from './errors.ts';
import type { Iam } from './model.ts';
import { parsePolicy } from './trust-policy.ts';

/** Policies are kept and told. They decide the calls of roles and users where rights are looked at. */

type InlinePolicies = Readonly<Record<string, string>>;
type PageOfPolicies = { readonly MaxItems?: number | undefined; readonly Marker?: string | undefined };

const mostAttached = 10;

/** What is attached with one more policy. `kind` is `Role` or `User`. @throws AwsError */
export function attachPolicy(
  iam: Iam,
  { attached = [], kind }: { readonly attached: readonly string[] | undefined; readonly kind: string },
  arn: string,
): readonly string[] {
  if (!/^arn:aws[\w-]*:iam::(aws|\d{12}):policy\/.+$/.test(arn))
    throw new AwsError('InvalidInput', `ARN ${arn} is not valid.`);
  if (attached.includes(arn)) return attached;
  if (arn.startsWith(iam.arnOf('policy/')) && !iam.managedPolicies.has(arn))
    throw new AwsError('NoSuchEntity', `Policy ${arn} does not exist or is not attachable.`, { status: 404 });
  if (attached.length >= mostAttached)
    throw new AwsError('LimitExceeded', `Cannot exceed quota for PoliciesPer${kind}: ${mostAttached}`, { status: 409 });
  return [...attached, arn];
}

/** What is attached without a policy. @throws AwsError */
export function detachPolicy(attached: readonly string[] = [], arn: string): readonly string[] {
  if (!attached.includes(arn)) throw notAttached(arn);
  return attached.filter((each) => each !== arn);
}

export function writeAttachedPage(attached: readonly string[] = [], { MaxItems, Marker }: PageOfPolicies) {
  const { items, next } = takePage(attached, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    AttachedPolicies: items.map((PolicyArn): AttachedPolicy => ({
      PolicyArn,
      PolicyName: PolicyArn.split('/').at(-1) ?? '',
    })),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

/** The inline policies with one that is new or changed. @throws AwsError for a document that is none */
export function putInlinePolicy(policies: InlinePolicies = {}, name: string, document: string): InlinePolicies {
  if (parsePolicy(document)['Statement'] === undefined)
    throw new AwsError('MalformedPolicyDocument', 'Syntax errors in policy.');
  return { ...policies, [name]: document };
}

const noSuchInlinePolicy = (kind: string, name: string): AwsError =>
  new AwsError('NoSuchEntity', `The ${kind} policy with name ${name} cannot be found.`, { status: 404 });

type NamedPolicy = { readonly policies: InlinePolicies | undefined; readonly name: string; readonly kind: string };

/** Reads the document of an inline policy, as IAM writes it. @throws AwsError */
export function readInlinePolicy({ policies, name, kind }: NamedPolicy): string {
  const document = readOwn(policies ?? {}, name);
  if (document === undefined) throw noSuchInlinePolicy(kind, name);
  return encodeURIComponent(document);
}

/** The inline policies without one. @throws AwsError when there is none of this name */
export function deleteInlinePolicy({ policies = {}, name, kind }: NamedPolicy): InlinePolicies {
  if (readOwn(policies, name) === undefined) throw noSuchInlinePolicy(kind, name);
  return Object.fromEntries(Object.entries(policies).filter(([each]) => each !== name));
}

export function writeInlinePage(policies: InlinePolicies = {}, { MaxItems, Marker }: PageOfPolicies) {
  const names = Object.keys(policies).toSorted();
  const { items, next } = takePage(names, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { PolicyNames: [...items], IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}
