/** What the text of a value looks like, and what would be right where it does not. */
export type TextForm = {
  readonly form: RegExp;
  /** As in `must be ...`. */
  readonly right: string;
};

const objectName = {
  form: /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  right: 'the name of an object: up to 63 small letters, digits and "-"',
};
/** Several objects are called after it, with a suffix. */
const installName = {
  form: /^[a-z](?:[-a-z0-9]{0,50}[a-z0-9])?$/,
  right: 'a name of up to 52 small letters, digits and "-", a letter first',
};
const imageName = {
  form: /^[^\s@]+(?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})$/,
  right: 'an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0',
};
const roleArn = {
  form: /^(?:arn:aws[-a-z]*:iam::\d{12}:role\/[\w+=,.@/-]+)?$/,
  right: 'the ARN of an IAM role, arn:PARTITION:iam::ACCOUNT_ID:role/NAME',
};
const region = { form: /^(?:[a-z]+(?:-[a-z]+)+-\d+)?$/, right: 'a region such as us-east-1' };
const proxyAddress = {
  form: /^(?:(?:https?:\/\/)?[^\s/]+\/?)?$/,
  right: 'an http or https URL such as http://proxy.example.com:3128',
};
const hostList = { form: /^\S*$/, right: 'hosts, suffixes and CIDRs separated by commas' };
const authorityKey = { form: /^[-._a-zA-Z0-9]+$/, right: 'a key of the ConfigMap, such as ca.crt' };
const interval = { form: /^\d+(?:ms|s|m|h)$/, right: 'a duration such as 30s' };
const labelKeyForm = {
  form: /^(?:[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/,
  right: 'the name of a label, such as team or example.com/team',
};
const variableName = { form: /^[A-Za-z_]\w*$/, right: 'the name of a variable, such as AWS_ENDPOINT_URL' };
const anyWord = { form: /^\S*$/, right: 'a text without spaces' };
const optionalObjectName = { ...objectName, form: /^(?:[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)?$/ };

/** The forms of all texts in values. The schema of the chart has them as patterns. */
export const valueForms = {
  objectName,
  installName,
  imageName,
  roleArn,
  region,
  proxyAddress,
  hostList,
  authorityKey,
  interval,
  labelKeyForm,
  variableName,
  anyWord,
  optionalObjectName,
  tolerationOperator: { form: /^(?:Exists|Equal)$/, right: 'Exists or Equal' },
  tolerationEffect: {
    form: /^(?:NoSchedule|PreferNoSchedule|NoExecute)?$/,
    right: 'NoSchedule, PreferNoSchedule or NoExecute',
  },
  amount: { form: /^\d+(?:\.\d+)?(?:m|k|[KMGTPE]i?)?$/, right: 'an amount such as 500m, 2 or 1Gi' },
} as const satisfies Readonly<Record<string, TextForm>>;
