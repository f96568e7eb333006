// The checks, one a tool: each takes the extracted fields and the graph as it is now, and gives fourgate's reply object. They ask
// whether what was wanted holds, not whether this call brought it about; throwing means that they cannot tell.

const pass = { status: "pass" };
const missing = { status: "fail", reason_code: "record_missing" };
const mismatch = { status: "fail", reason_code: "field_mismatch" };
const present = { status: "fail", reason_code: "record_present" };

export const checks = new Map([
  ["create_entities", checkEntities],
  ["add_observations", checkObservations],
  ["create_relations", checkRelations],
  ["delete_entities", checkDeleted],
]);

/** PASS: for each entity there is one of its name with its type and all its observations; it may hold more. */
function checkEntities({ entities }, graph) {
  return first(wanted(entities), (entity) =>
    checkNamed(graph, entity.name, entity.observations, (found) => found.entityType === entity.entityType),
  );
}

/** PASS: each named entity holds each of the texts, whether this call or an earlier one added them. */
function checkObservations({ observations }, graph) {
  return first(wanted(observations), (addition) =>
    checkNamed(graph, addition.entityName, addition.contents, () => true),
  );
}

/** PASS: each relation is there, whether this call or an earlier one made it. */
function checkRelations({ relations }, graph) {
  return first(wanted(relations), (relation) => {
    const same = ["from", "to", "relationType"];
    return graph.relations.some((found) => same.every((key) => found[key] === relation[key])) ? pass : missing;
  });
}

/** PASS: no entity of these names is left, and no relation of theirs. That they existed before cannot be known. */
function checkDeleted({ entityNames }, graph) {
  // After any write of the server there is a file: that none is there may mean that we look in the wrong place.
  if (!graph.fileExists) throw new Error("there is no memory file");
  return first(wanted(entityNames), (name) => {
    if (graph.entities.some((entity) => entity.name === name)) return present;
    return graph.relations.some((relation) => relation.from === name || relation.to === name) ? mismatch : pass;
  });
}

/** The server lets several entities have one name (two in one call): one that fits is enough. */
function checkNamed(graph, name, texts, fits) {
  if (!Array.isArray(texts)) throw new Error("the call holds no list of texts");
  const named = graph.entities.filter((entity) => entity.name === name);
  if (named.length === 0) return missing;
  const holds = named.some((entity) => {
    const held = new Set(entity.observations);
    return fits(entity) && texts.every((text) => held.has(text));
  });
  return holds ? pass : mismatch;
}

function wanted(list) {
  if (!Array.isArray(list) || list.length === 0) throw new Error("the call asks for nothing");
  return list;
}

/** The first reply that is not a pass, else a pass. */
function first(list, check) {
  return list.map(check).find((reply) => reply !== pass) ?? pass;
}
