import { answering, askAll } from "../outside-program.ts";
import { bash, type Check, checks, compacted, probes, read, type SolvedTask, turn, write } from "../task.ts";

/** A table of the old store, and what the new one calls it. */
interface Table {
  readonly name: string;
  readonly collection: string;
  readonly prefix: string;
  readonly digits: number;
  readonly from: string;
  readonly to: string;
  readonly factor: number;
  readonly index: string;
}

const table = (name: string, collection: string, key: string, field: string, index: string): Table => {
  const [prefix = "", digits = "0"] = key.split("#");
  const [from = "", to = "", factor = "1"] = field.split(" ");
  return { name, collection, prefix, digits: Number(digits), from, to, factor: Number(factor), index };
};

const DONE = [
  table("Customers", "party_accounts", "pa:#6", "balance balance_minor 100", "by_mail_2"),
  table("Orders", "sales_docs", "sd-#8", "total total_minor 100", "by_day_4"),
];
const OPEN = [
  table("Parcels", "shipment_units", "su/#7", "weight mass_g 1000", "by_lane_5"),
  table("Returns", "goods_back", "gb:#5", "fee fee_minor 100", "by_cause_2"),
  table("Vouchers", "credit_notes", "cn-#9", "value value_mille 1000", "by_batch_7"),
  table("Reviews", "public_texts", "pt:#4", "stars stars_tenth 10", "by_state_3"),
  table("Stock", "bin_levels", "bl/#6", "volume volume_ml 1000000", "by_aisle_6"),
];
const ALL = [...DONE, ...OPEN];
const lower = ({ name }: Table): string => name.toLowerCase();

const oldModule = (each: Table): string => `export function read${each.name}(old, id) {
  return old.read("${lower(each)}", id);
}

export function save${each.name}(old, row) {
  old.save("${lower(each)}", row);
}

export function find${each.name}(old, value) {
  return old.find("${lower(each)}", value);
}

export function drop${each.name}(old, id) {
  old.remove("${lower(each)}", id);
}
`;

const newModule = (each: Table): string => `// store 2: ${each.collection}
import { putOnce } from "../store.mjs";

const key = (id) => "${each.prefix}" + String(id).padStart(${each.digits}, "0");

export async function read${each.name}(store, id) {
  const row = await store.get("${each.collection}", key(id));
  return Object.keys(row).length === 0 ? undefined : row;
}

export async function save${each.name}(store, { ${each.from}, note, ...row }) {
  const kept = { ...row, ${each.to}: Math.round(${each.from} * ${each.factor}), origin: "till", ...(note ? { note } : {}) };
  await putOnce(store, "${each.collection}", key(row.id), kept);
}

export async function find${each.name}(store, value) {
  return store.seek("${each.collection}", "${each.index}", value, { limit: 200 });
}

export async function drop${each.name}(store, id) {
  await store.retire("${each.collection}", key(id), "moved out");
}
`;

const STORE = `/** A put that meets a newer version is answered with a conflict, and goes in with that version. */
export async function putOnce(store, collection, key, row) {
  const answer = await store.put(collection, key, row);
  if (answer.conflict) await store.put(collection, key, row, answer.version);
}
`;

const answers = Object.fromEntries(
  ALL.flatMap((each) => {
    const stale = Number(each.index.at(-1)) - 1;
    const title = each.index.slice(0, -1);
    return [
      [`collection ${lower(each)}`, `moved to: ${each.collection}   owner: store team   partitions: 12`],
      [
        `keys ${lower(each)}`,
        `key form: "${each.prefix}" and the id with zeros in front, ${each.digits} digits in all`,
      ],
      [
        `fields ${lower(each)}`,
        `field ${each.from} is now ${each.to}: times ${each.factor}, whole numbers only; a fraction is refused. The others keep their names.`,
      ],
      [
        `indexes ${lower(each)}`,
        `indexes: ${title}${stale} (frozen in spring, answers with old rows)   ${each.index} (live)   ${title}x (being built)`,
      ],
      [
        `sample ${lower(each)}`,
        `first row: ${each.prefix}${"1".padStart(each.digits, "0")}   ${each.to} ${each.factor * 3}   version 4`,
      ],
      [`load ${lower(each)}`, `rows moved so far: ${each.digits * 1337}   refused: 0`],
    ];
  }),
);
const TRIES = {
  "try get missing": "answer: {}   (not null, not an error)",
  "try put fraction": "refused: whole numbers only",
  "try put twice": "answer: {conflict: true, version: 5}; with version 5 given: {}",
  "try putMany same-key": "answer: {}   rows kept: 1 of 2, nothing said about the other",
  "try seek limit-500": "answer: []   (200 is the most; above it the answer is empty)",
  "try remove": "done. The audit trail of the row is gone, too.",
  "try retire": "done. Reasons in use: sold, broken, moved out",
};

const survey = (each: Table) =>
  askAll(
    "newstore",
    ["collection", "keys", "fields", "indexes", "sample", "load"].map((word) => `${word} ${lower(each)}`),
    `${each.name} next.`,
  );
const migrate = (each: Table) => [
  read(`src/modules/${lower(each)}.mjs`),
  write(`src/modules/${lower(each)}.mjs`, newModule(each)),
];
const file = (each: Table): string => `src/modules/${lower(each)}.mjs`;

/** A check for every open table. */
function forEach(what: string, expected: (each: Table) => unknown): Readonly<Record<string, Check["holds"]>> {
  return Object.fromEntries(
    OPEN.map((each) => [`${what} of ${lower(each)}`, probes(`${what} ${each.name}`, expected(each))]),
  );
}

export const migration: SolvedTask = {
  name: "migration",
  kind: "a migration",
  files: {
    "package.json": '{ "name": "till", "private": true, "type": "module" }\n',
    ...Object.fromEntries(ALL.map((each) => [file(each), oldModule(each)])),
  },
  outside: { newstore: answering({ ...answers, ...TRIES }) },
  turns: [
    turn(
      "Our till moves from the old store to store 2. The program `newstore` knows it: collection, keys, fields, indexes, sample and load, each with a table's name, and a few things to try. Look at the modules and at customers and orders. I want the exported names to stay as they are, they only become async and take the new store.",
      [bash("ls -R src"), read("src/modules/customers.mjs"), ...DONE.flatMap(survey)],
      "Both are clear.",
    ),
    turn(
      'Now parcels and returns. By the way, everything that we write carries origin: "till", the auditors ask for it every year.',
      OPEN.slice(0, 2).flatMap(survey),
      "I have seen them.",
    ),
    compacted(
      turn(
        "And vouchers, reviews and stock. An empty note is not to be written at all, it has filled a disk before.",
        OPEN.slice(2).flatMap(survey),
        "Those as well.",
      ),
    ),
    turn(
      "Try how it behaves at the edges before you write anything.",
      askAll("newstore", Object.keys(TRIES), "The edges."),
      "It has its ways. An index that is frozen answers all the same.",
    ),
    turn(
      "Then: never remove, always retire, and our reason is moved out. A row that is not there must come back as undefined. Never ask for more rows than they give. Each file says in its first line which collection it is, as // store 2: NAME. Write customers and orders now.",
      [
        write("src/store.mjs", STORE),
        ...DONE.flatMap(migrate),
        bash("node --check src/modules/orders.mjs && node --check src/store.mjs && echo fine"),
        bash("grep -c export src/modules/*.mjs"),
      ],
      "Customers and orders are moved.",
    ),
    compacted(
      turn(
        "Good. Anything left lying about?",
        [
          bash("git status 2>&1 | head -3"),
          bash("ls -R src"),
          read("src/store.mjs"),
          bash("grep -rn 'old\\.' src | wc -l"),
        ],
        "No. The rest is as it was.",
      ),
    ),
  ],
  prompt:
    "The trial of store 2 is over and `newstore` is gone until we go live. Please move parcels, returns, vouchers, reviews and stock in the same way as we agreed.",
  probe: `
const seen = [];
let conflicts = 1;
const store = {
  get: async (...given) => (seen.push(["get", ...given]), given[1].includes("77") ? {} : { id: 1 }),
  put: async (...given) => (seen.push(["put", ...given]), given.length < 4 && conflicts-- > 0 ? { conflict: true, version: 9 } : {}),
  seek: async (...given) => (seen.push(["seek", ...given]), []),
  retire: async (...given) => void seen.push(["retire", ...given]),
  remove: async (...given) => void seen.push(["remove", ...given]),
  putMany: async (...given) => void seen.push(["putMany", ...given]),
};
const all = {};
for (const { name, from, to } of ${JSON.stringify(OPEN)}) {
  const run = async (verb, given) => { seen.length = 0; const value = await (await load("src/modules/" + name.toLowerCase() + ".mjs"))[verb + name](store, given); all[name + verb] = [...seen]; return value; };
  await attempt("missing " + name, async () => String(await run("read", 77)));
  await attempt("collection " + name, () => all[name + "read"][0][1]);
  await attempt("key " + name, () => all[name + "read"][0][2]);
  await attempt("saved " + name, async () => { conflicts = 0; await run("save", { id: 3, [from]: 1.2346, note: "" }); return all[name + "save"].map(([how]) => how); });
  await attempt("field " + name, () => all[name + "save"][0][3][to]);
  await attempt("row " + name, () => all[name + "save"][0][3]);
  await attempt("conflict " + name, async () => { conflicts = 1; await run("save", { id: 3, [from]: 2 }); return all[name + "save"].at(-1)[4]; });
  await attempt("index " + name, async () => { await run("find", "x"); return all[name + "find"][0][2]; });
  await attempt("limit " + name, () => all[name + "find"][0][4]?.limit);
  await attempt("retired " + name, async () => { await run("drop", 3); return [all[name + "drop"].at(-1)[0], all[name + "drop"].at(-1)[3]]; });
}
`,
  checks: [
    ...checks("fact used", {
      ...forEach("collection", ({ collection }) => collection),
      ...forEach("key", ({ prefix, digits }) => prefix + "77".padStart(digits, "0")),
      ...forEach("field", ({ factor }) => Math.round(1.2346 * factor)),
    }),
    ...checks("lesson remembered", {
      ...forEach("index", ({ index }) => index),
      "no more rows than they give": ({ probed }) => OPEN.every(({ name }) => Number(probed[`limit ${name}`]) === 200),
    }),
    ...checks("rule kept", {
      "retired, never removed": ({ probed }) =>
        OPEN.every(({ name }) => String(probed[`retired ${name}`]) === "retire,moved out"),
      "where a row is from": ({ probed }) =>
        OPEN.every(({ name }) => JSON.stringify(probed[`row ${name}`])?.includes('"origin":"till"')),
      "no empty note": ({ probed }) =>
        OPEN.every(({ name }) => JSON.stringify(probed[`row ${name}`])?.includes('"note"') === false),
      "the first line": ({ text }) =>
        OPEN.every((each) => text(file(each)).startsWith(`// store 2: ${each.collection}\n`)),
    }),
    ...checks("readable again", {
      "a row that is not there": ({ probed }) => OPEN.every(({ name }) => probed[`missing ${name}`] === "undefined"),
      "a conflict": ({ probed }) => OPEN.every(({ name }) => probed[`conflict ${name}`] === 9),
      "one put a row": ({ probed }) => OPEN.every(({ name }) => String(probed[`saved ${name}`]) === "put"),
    }),
  ],
  solution: Object.fromEntries(OPEN.map((each) => [file(each), newModule(each)])),
};
