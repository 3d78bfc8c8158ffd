/** A statement of an IAM policy. */
export type IamStatement = {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};
export type IamPolicy = { readonly Statement: readonly IamStatement[] };

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

export const listActions = ({ Statement }: IamPolicy): readonly string[] =>
  Statement.flatMap(({ Action }) => listOf(Action));

/** What a launch uses and does not change: what it makes out of them needs the tags of the cluster. */
const usedByLaunches = /:(image|snapshot|security-group|subnet|capacity-reservation|placement-group)\/\*$/;
const launches: ReadonlySet<string> = new Set(['ec2:CreateFleet', 'ec2:RunInstances']);

/** Names that no other cluster has. */
const ownNames =
  /:sqs:REGION:ACCOUNT_ID:CLUSTER_NAME$|:parameter\/nodewright\/evidence\/CLUSTER_NAME$|:role\/NODE_ROLE$/;

const isReading = (action: string): boolean => /^[\w-]+:(Describe|Get|List)\w+$/.test(action);

/** What a statement allows beyond the cluster that it is for; empty when it is narrow enough. */
export const findWideGrants = ({ Statement }: IamPolicy): readonly string[] =>
  Statement.filter(({ Effect }) => Effect === 'Allow').flatMap((statement) =>
    listOf(statement.Action).flatMap((action) =>
      problemsOf(action, statement).map((problem) => `${statement.Sid}: ${action} ${problem}`),
    ),
  );

function problemsOf(action: string, statement: IamStatement): readonly string[] {
  if (action.includes('*')) return ['is a pattern'];
  if (isReading(action)) return [];
  const resources = listOf(statement.Resource);
  if (resources.some((resource) => !resource.includes(':'))) return ['is granted on every resource'];
  const regionless = resources.filter((resource) => !/:iam::/.test(resource) && !/:REGION:/.test(resource));
  return [
    ...regionless.map((resource) => `reaches every region through ${resource}`),
    ...(resources.every((resource) => isNarrow(action, resource)) ? [] : conditionProblems(action, statement)),
  ];
}

const isNarrow = (action: string, resource: string): boolean =>
  ownNames.test(resource) || (launches.has(action) && usedByLaunches.test(resource));

const ownTag = /^aws:(Resource|Request)Tag\/kubernetes\.io\/cluster\/CLUSTER_NAME$/;

function conditionProblems(action: string, { Condition = {} }: IamStatement): readonly string[] {
  const exact = Condition['StringEquals'] ?? {};
  const tag = Object.keys(exact).find((key) => ownTag.test(key) && exact[key] === 'owned');
  if (tag === undefined) return ['has no condition on the tag of the cluster'];
  if (action !== 'ec2:CreateTags') return [];
  const isWhileCreating = tag.startsWith('aws:Request') && exact['ec2:CreateAction'] !== undefined;
  const ofOwn = tag.startsWith('aws:Resource') && Condition['ForAllValues:StringEquals']?.['aws:TagKeys'] !== undefined;
  return isWhileCreating || ofOwn ? [] : ['tags what exists, with any key'];
}

type Tags = Readonly<Record<string, string>>;

/** What a call creates, or changes, with the tags that it asks for. */
export type Tagging = { readonly action: string; readonly resource: string; readonly tags: Tags };

/** Whether a statement allows the call the tags that it asks for. The tags of what exists are taken for the cluster's own. */
export const mayTag = ({ Statement }: IamPolicy, clusterName: string, { action, resource, tags }: Tagging): boolean =>
  Statement.some(
    ({ Action, Resource, Condition = {} }) =>
      listOf(Action).includes(action) &&
      listOf(Resource).some((pattern) => pattern.endsWith(`:${resource}/*`)) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, wanted]) =>
          meetsCondition(tags, operator, {
            key: key.replace('CLUSTER_NAME', clusterName),
            wanted: listOf(wanted).map((each) => each.replace('CLUSTER_NAME', clusterName)),
          }),
        ),
      ),
  );

type Wanted = { readonly key: string; readonly wanted: readonly string[] };

function meetsCondition(tags: Tags, operator: string, { key, wanted }: Wanted): boolean {
  if (key === 'aws:TagKeys') return Object.keys(tags).every((tag) => wanted.includes(tag));
  const name = /^aws:RequestTag\/(.+)$/.exec(key)?.[1];
  if (name === undefined) return true;
  const value = tags[name];
  if (value === undefined) return operator.endsWith('IfExists');
  return operator === 'StringLike' ? wanted.includes('*') || wanted.includes(value) : wanted.includes(value);
}
