export type IamPolicyFlags = {
  readonly clusterName: string;
  readonly region: string;
  readonly accountId: string;
  readonly nodeRole?: string;
  readonly queue?: string;
  readonly parameter?: readonly string[];
  readonly nodeGroups: boolean;
};
