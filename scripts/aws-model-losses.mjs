/**
 * What a table of constraints has and a model does not. AWS adds to its models and takes nothing away, so a model that lacks
 * something is older than the one that the table was made from.
 */
export function listModelLosses({ shapes }, { structures, types }) {
  return [
    ...Object.entries(structures).flatMap(([name, members]) => lostMembers(shapes, name, members)),
    ...Object.entries(types).flatMap(([name, type]) => lostValues(shapes, name, type)),
  ];
}

function lostMembers(shapes, name, members) {
  const shape = shapes[name];
  if (shape === undefined) return [`the structure ${name}`];
  return Object.keys(members).flatMap((member) =>
    shape.members?.[member] === undefined ? [`the member ${name}.${member}`] : [],
  );
}

function lostValues(shapes, name, { values = [] }) {
  const shape = shapes[name];
  if (shape === undefined) return [`the type ${name}`];
  return values.flatMap((value) => (shape.enum?.includes(value) ? [] : [`the value ${value} of ${name}`]));
}
