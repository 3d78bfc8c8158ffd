/** The names that a policy of the controller is made from. */
export type AwsNames = {
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  readonly clusterName: string;
  /** The role of nodes, by its name. */
  readonly nodeRole: string;
  /** The queue of interruption messages, by its name. */
  readonly queue: string;
  /** Parameters of the account that name images, `/images/*`. */
  readonly parameters: readonly string[];
};

/** Operator, key, values. */
export type IamConditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** What an action reaches: resources, and the conditions under which it reaches them. */
export type AwsScope = {
  readonly resources: (names: AwsNames) => readonly string[];
  readonly conditions?: (names: AwsNames) => IamConditions;
};

type ResourcePart = readonly [service: string, resource: string, account?: string];

/** ARNs in the region; without an account those of the account itself, `*` for any. */
const regionArns =
  (...parts: readonly ResourcePart[]) =>
  ({ partition, region, accountId }: AwsNames): readonly string[] =>
    parts.map(
      ([service, resource, account = accountId]) => `arn:${partition}:${service}:${region}:${account}:${resource}`,
    );

const ofAnyAccount = (...kinds: readonly string[]): readonly ResourcePart[] =>
  kinds.map((kind) => ['ec2', `${kind}/*`, '*']);

const anyAwsResource = (): readonly string[] => ['*'];

const iamArns =
  (resource: (names: AwsNames) => string) =>
  (names: AwsNames): readonly string[] => [`arn:${names.partition}:iam::${names.accountId}:${resource(names)}`];

const ownProfiles = iamArns(({ region, clusterName }) => `instance-profile/karpenter/${region}/${clusterName}/*`);

const clusterTag = ({ clusterName }: AwsNames): string => `kubernetes.io/cluster/${clusterName}`;

/** The resource belongs to the cluster and to a NodePool. */
const ownedByPool = (names: AwsNames): IamConditions => ({
  StringEquals: { [`aws:ResourceTag/${clusterTag(names)}`]: 'owned' },
  StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
});

/** The request says that what it makes will belong to the cluster and to a NodePool. */
const createdForPool = (names: AwsNames): IamConditions => ({
  StringEquals: {
    [`aws:RequestTag/${clusterTag(names)}`]: 'owned',
    'aws:RequestTag/eks:eks-cluster-name': names.clusterName,
  },
  StringLike: { 'aws:RequestTag/karpenter.sh/nodepool': '*' },
});

const profileTags = (kind: 'RequestTag' | 'ResourceTag', names: AwsNames): IamConditions => ({
  StringEquals: {
    [`aws:${kind}/${clusterTag(names)}`]: 'owned',
    [`aws:${kind}/topology.kubernetes.io/region`]: names.region,
  },
  StringLike: { [`aws:${kind}/karpenter.k8s.aws/ec2nodeclass`]: '*' },
});

const inRegion = ({ region }: AwsNames): IamConditions => ({ StringEquals: { 'aws:RequestedRegion': region } });

const ownedByCluster = (names: AwsNames): IamConditions => ({
  StringEquals: { [`aws:ResourceTag/${clusterTag(names)}`]: 'owned' },
});

const createdResources = ofAnyAccount(
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'launch-template',
  'spot-instances-request',
);

/** Every scope by the Sid of its statement, in the order of the policy. */
export const awsScopes = {
  DescribeInTheRegion: { resources: anyAwsResource, conditions: inRegion },
  ReadPublicParameters: { resources: regionArns(['ssm', 'parameter/aws/service/*', '']) },
  ReadOwnParameters: {
    resources: ({ parameters, ...names }) =>
      parameters.flatMap((name) =>
        regionArns(['ssm', `parameter/${name.replace(/^\//, '')}`])({ parameters, ...names }),
      ),
  },
  ReadEvidenceOfClusters: { resources: regionArns(['ssm', 'parameter/nodewright/evidence/*']) },
  PublishOwnEvidence: {
    resources: (names) => regionArns(['ssm', `parameter/nodewright/evidence/${names.clusterName}`])(names),
  },
  ReadPrices: { resources: anyAwsResource },
  ReadTheCluster: { resources: (names) => regionArns(['eks', `cluster/${names.clusterName}`])(names) },
  ReceiveInterruptions: { resources: (names) => regionArns(['sqs', names.queue])(names) },
  LaunchWithWhatExists: {
    resources: regionArns(
      ['ec2', 'image/*', ''],
      ['ec2', 'snapshot/*', ''],
      ...ofAnyAccount('security-group', 'subnet', 'capacity-reservation', 'placement-group'),
    ),
  },
  LaunchFromOwnTemplates: { resources: regionArns(...ofAnyAccount('launch-template')), conditions: ownedByPool },
  CreateWithTheTagsOfTheCluster: { resources: regionArns(...createdResources), conditions: createdForPool },
  TagOnlyWhatIsBeingCreated: {
    resources: regionArns(...createdResources),
    conditions: (names) => {
      const { StringEquals, ...others } = createdForPool(names);
      const creations = ['CreateFleet', 'CreateLaunchTemplate', 'RunInstances'];
      return { StringEquals: { ...StringEquals, 'ec2:CreateAction': creations }, ...others };
    },
  },
  NameOwnInstances: {
    resources: regionArns(...ofAnyAccount('instance')),
    conditions: (names) => ({
      ...ownedByPool(names),
      StringEqualsIfExists: { 'aws:RequestTag/eks:eks-cluster-name': names.clusterName },
      'ForAllValues:StringEquals': { 'aws:TagKeys': ['eks:eks-cluster-name', 'karpenter.sh/nodeclaim', 'Name'] },
    }),
  },
  DeleteOwn: { resources: regionArns(...ofAnyAccount('instance', 'launch-template')), conditions: ownedByPool },
  PassTheNodeRole: {
    resources: iamArns(({ nodeRole }) => `role/${nodeRole}`),
    conditions: () => ({ StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } }),
  },
  ListInstanceProfiles: { resources: anyAwsResource },
  ReadInstanceProfiles: { resources: iamArns(() => 'instance-profile/*') },
  CreateOwnInstanceProfiles: { resources: ownProfiles, conditions: (names) => profileTags('RequestTag', names) },
  ChangeOwnInstanceProfiles: { resources: ownProfiles, conditions: (names) => profileTags('ResourceTag', names) },
  ReadNodeGroups: {
    resources: (names) =>
      regionArns(['eks', `cluster/${names.clusterName}`], ['eks', `nodegroup/${names.clusterName}/*`])(names),
  },
  UpdateNodeGroups: { resources: (names) => regionArns(['eks', `nodegroup/${names.clusterName}/*`])(names) },
  ReadScalingGroups: { resources: anyAwsResource, conditions: inRegion },
  ChangeScalingGroupsOfTheCluster: {
    resources: regionArns(['autoscaling', 'autoScalingGroup:*:autoScalingGroupName/*']),
    conditions: ownedByCluster,
  },
  ChangeTemplatesOfTheCluster: { resources: regionArns(['ec2', 'launch-template/*']), conditions: ownedByCluster },
  EndInstancesOfScalingGroups: {
    resources: regionArns(['ec2', 'instance/*']),
    conditions: (names) => ({
      ...ownedByCluster(names),
      StringLike: { 'aws:ResourceTag/aws:autoscaling:groupName': '*' },
    }),
  },
} as const satisfies Readonly<Record<string, AwsScope>>;

export type AwsScopeName = keyof typeof awsScopes;
