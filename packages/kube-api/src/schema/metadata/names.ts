/** The problems of a text as a name, in the words of a real server. Empty for a valid name. */
export type NameRule = (name: string) => string[];

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const letterLabelPattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedNamePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const anchoredPattern = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const namePatterns = {
  label: anchoredPattern(labelPattern),
  subdomain: anchoredPattern(subdomainPattern),
  letterLabel: anchoredPattern(letterLabelPattern),
  qualified: anchoredPattern(qualifiedNamePattern),
  qualifiedOrEmpty: anchoredPattern(`(${qualifiedNamePattern})?`),
};

const tooManyCharacters = (most: number): string => `must be no more than ${most} characters`;

/** A DNS subdomain: names of most kinds. */
export const validateSubdomain: NameRule = (name) => [
  ...(name.length > 253 ? [tooManyCharacters(253)] : []),
  ...(namePatterns.subdomain.test(name)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`,
      ]),
];

/** One label of DNS, at most 63 characters: namespaces, containers, ports. */
export const validateDnsLabel: NameRule = (name) => [
  ...(name.length > 63 ? [tooManyCharacters(63)] : []),
  ...(namePatterns.label.test(name)
    ? []
    : [
        `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`,
      ]),
];

/** One label of DNS that begins with a letter: services. */
export const validateLetterLabel: NameRule = (name) => [
  ...(name.length > 63 ? [tooManyCharacters(63)] : []),
  ...(namePatterns.letterLabel.test(name)
    ? []
    : [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ]),
];

/** A single segment of a URL path: roles and their bindings. */
export const validatePathSegment: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((text) => name.includes(text)).map((text) => `may not contain '${text}'`);
};

/** Keys repeat: those that were found valid lately are known. */
const validKeys = new Set<string>();
const mostValidKeys = 2000;
const longestKnownKey = 100;

/** A key of labels and annotations: a name with an optional DNS prefix. */
export const validateQualifiedName: NameRule = (text) => {
  if (validKeys.has(text)) return [];
  const problems = problemsOfKey(text);
  if (problems.length > 0 || text.length > longestKnownKey) return problems;
  if (validKeys.size >= mostValidKeys) validKeys.clear();
  validKeys.add(text);
  return problems;
};

function problemsOfKey(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedNamePattern}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...namePartProblems(name)];
}

const prefixProblems = (prefix: string): string[] =>
  prefix === ''
    ? ['prefix part must be non-empty']
    : validateSubdomain(prefix).map((problem) => `prefix part ${problem}`);

function namePartProblems(name: string): string[] {
  if (name === '') return ['name part must be non-empty', `name part ${qualifiedText}`];
  return [
    ...(name.length > 63 ? [`name part ${tooManyCharacters(63)}`] : []),
    ...(namePatterns.qualified.test(name) ? [] : [`name part ${qualifiedText}`]),
  ];
}

const qualifiedText = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedNamePattern}')`;

/** The value of a label. */
export const validateLabelValue: NameRule = (value) => [
  ...(value.length > 63 ? [tooManyCharacters(63)] : []),
  ...(namePatterns.qualifiedOrEmpty.test(value)
    ? []
    : [
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedNamePattern})?')`,
      ]),
];
