/** What a service of AWS tells whoever has made a rule for it; the envelope is the bus's. */
export type AwsEvent = {
  /** `aws.ec2`. */
  readonly source: string;
  readonly detailType: string;
  /** ARNs of what it is about. */
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
};
