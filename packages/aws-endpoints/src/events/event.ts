/** An event of an AWS service, for the rules that match it. The bus adds the envelope. */
export type AwsEvent = {
  /** `aws.ec2`. */
  readonly source: string;
  readonly detailType: string;
  /** ARNs of what it is about. */
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
};
