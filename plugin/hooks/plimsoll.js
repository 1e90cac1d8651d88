var ENGINE_FORMAT = 3;
var RECALL_TOOL = "mcp__plimsoll__recall";
var RECORD_OPENING = "The conversation before this point was replaced by this record.";
function createScreen() {
  const seen = new Set();
  const texts = new Set();
  return {
    saw(e) {
      const text = textsOf(Object(e.message).content).join("\n");
      if (e.door !== "note" || !texts.has(text)) seen.add(e.uuid);
    },
    answered(answer) {
      for (const text of textsOf(Object(answer).messages)) texts.add(text);
    },
    isRepeat(e) {
      return e.requestId !== "placeholder" && !seen.has(e.requestId) && texts.has(propsOf(e).text);
    }
  };
}
var propsOf = (e) => Object(e.props);
function textsOf(list) {
  const texts = Array.isArray(list) ? list.map((one) => one?.text) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}
async function drawRow($, screen2, e, next) {
  const props = propsOf(e);
  const { text, isExpanded } = props;
  if (isExpanded || typeof text !== "string") return next(e);
  if (screen2.isRepeat(e)) return $.ui.resolve(e).Box({});
  if (!text.startsWith(RECORD_OPENING)) return next(e);
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${text.split("\n").length} lines (ctrl+o shows it)`;
  return next({ ...e, props: { ...props, text: short } });
}
var hasHintLine = false;
var inHintLine;
function placeStatus($, { text, hint }) {
  inHintLine = hasHintLine ? hint : void 0;
  $.ui.status(inHintLine === void 0 ? text : void 0);
  if (hasHintLine) $.ui.invalidate("ui.render");
}
function addHint(e) {
  hasHintLine ||= e.surface === "terminal";
  const props = propsOf(e);
  const tail = props.tail ? `${props.tail} · ${inHintLine}` : inHintLine;
  return inHintLine ? { ...e, props: { ...props, tail } } : e;
}
function performAll($, ops, next) {
  return Promise.all(ops.map((op) => perform($, op, next)));
}
async function perform($, { name, text, given, status, line }, next) {
  const calls = {
    next: () => next?.(given),
    id: () => $.session.id(),
    root: () => $.session.root(),
    model: () => $.session.model(),
    version: () => $.session.version(),
    usage: () => $.session.usage(),
    messages: () => $.session.messages(given),
    append: () => $.session.append(given),
    fork: () => $.model.fork(given),
    direct: () => Promise.all([$.env.set("no_proxy", text), $.env.set("NO_PROXY", text)]),
    tool: () => $.tool.register(given),
    command: () => $.command.register(given),
    ask: () => $.ui.ask(text, given),
    log: () => $.ui.log(text),
    status: () => placeStatus($, status),
    line: () => setLine($, line)
  };
  try {
    return { value: await calls[name]?.() };
  } catch (error) {
    return { error: String(error) };
  }
}
var ownLine;
async function setLine($, line = ownLine) {
  if (line === void 0) return;
  ownLine = line.own;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", line.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", line.percent);
}
var START_LIMIT_S = 10;
var END_LIMIT_S = 3;
var LIMIT_S = 15;
var GATHER_MS = 150;
var MOST_UNSAVED = 500;
var UNREADABLE = "its engine cannot be read";
var rule = { foldFrom: 0, saved: 0, deferred: [] };
var starting;
var running;
var ended;
var crashes = 0;
var isOff = false;
var isLeaving = false;
var waiting = [];
var gathering;
var unsaved = [];
var stopped = [];
function startEngine($) {
  starting ??= new Promise((resolve) => {
    const late = setTimeout(() => giveUp($, "it did not start").then(listen), START_LIMIT_S * 1e3);
    const listen = () => {
      clearTimeout(late);
      resolve(running);
    };
    ended = follow($, listen);
    void ended.then(listen, listen);
  });
  return starting;
}
async function follow($, listen) {
  isOff ||= !!await $.env.get("PLIMSOLL_OFF");
  if (isOff) return;
  const node = await findNode($);
  let problem = `it needs Node 20 or later, and "${node}" could not be started`;
  let rest = "";
  try {
    for await (const { stream, text } of $.process.spawn({ argv: [node, `${$.plugin.root}/engine/engine.cjs`] })) {
      problem = void 0;
      if (isOff) break;
      if (stream !== "stdout") continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const message of lines.map((line) => JSON.parse(line))) {
        if (message.ops) void answerAside($, message);
        else if (message.isLeaving) running = void 0;
        else if (message.format !== ENGINE_FORMAT)
          return giveUp($, message.problem ?? "it was updated, so start a new session");
        else {
          await performAll($, message.offers);
          running = { ...message, sent: 0 };
          listen();
        }
      }
    }
  } catch {
    problem ??= UNREADABLE;
  }
  running = void 0;
  if (isOff || isLeaving) return;
  if (problem || ++crashes > 1) return giveUp($, problem ?? "its engine crashed twice");
  await setLine($);
  starting = void 0;
}
async function findNode($) {
  const folder = await $.env.get("CLAUDE_CONFIG_DIR") ?? `${await $.env.get("HOME")}/.claude`;
  const noted = await $.fs.read(`${folder}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}
async function giveUp($, problem) {
  if (isOff) return;
  isOff = true;
  waiting = [];
  unsaved = [];
  if (running) void $.process.run(["kill", "-9", String(running.pid)]).catch(() => void 0);
  running = void 0;
  if (isLeaving) return;
  await setLine($);
  placeStatus($, { text: void 0 });
  $.ui.log(`Plimsoll is off in this session, and Claude Code goes on without it: ${problem}. Run: plimsoll doctor`);
}
async function askEngine($, next, raised, alone = next) {
  let below = raised.isPassed ? Promise.resolve(raised.result) : void 0;
  const isEnd = raised.event === "session.end";
  if (isEnd) isLeaving = !["clear", "resume"].includes(String(raised.e.reason));
  const engine = isEnd ? running : await startEngine($) ?? await startEngine($);
  if (!engine || engine !== running) {
    if (isEnd) unsaved = [];
    return below ?? alone(raised.e);
  }
  const at = engine.sent;
  const events = gather(engine, raised);
  const carryOn = async (e) => {
    raised.e = e;
    below = next(e);
    const result = await below;
    return raised.event === "session.append" ? true : result;
  };
  const { signal } = next;
  const converse = async () => {
    for (let body = { at, events }; ; ) {
      const sent = stopped;
      const reply2 = await post($, engine, { ...body, stopped: sent }, isEnd ? END_LIMIT_S : LIMIT_S, signal);
      if (!reply2) return;
      stopped = stopped.filter((one) => !sent.includes(one));
      const answers = await performAll($, reply2.ops, carryOn);
      if (reply2.isDone) return reply2;
      body = { of: reply2.of, answers };
    }
  };
  const whenStopped = new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  const reply = await Promise.race([converse(), whenStopped]);
  if (reply) {
    Object.assign(rule, reply.rule);
    unsaved = unsaved.filter((row) => Number(row.at) > rule.saved).slice(-MOST_UNSAVED);
    if (!reply.isSame) return reply.value;
  } else if (signal.aborted) {
    stopped.push({ at, upTo: at + events.length });
    waiting = [...events.filter((one) => one.isPassed), ...waiting];
  }
  return below ?? alone(raised.e);
}
function noteEvent($, next, raised) {
  if (isOff) return;
  waiting.push({ ...raised, isPassed: true });
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last) void askEngine($, next, last).catch(() => void 0);
  }, GATHER_MS);
}
function gather(engine, raised) {
  const events = [...waiting, raised];
  waiting = [];
  clearTimeout(gathering);
  gathering = void 0;
  if (crashes && engine.sent === 0) {
    const again = rule.saved ? unsaved.map((row) => ({ ...row, isPassed: true, isAgain: true })) : [];
    events.unshift({ event: "engine.restart", e: { opening: rule.opening } }, ...again);
    unsaved = [];
    rule.saved = 0;
  }
  for (const one of events) {
    one.at = ++engine.sent;
    if (one.event === "session.append") unsaved.push(one);
    if (one.event === "session.end") unsaved = [];
  }
  return events;
}
async function post($, engine, body, limitS, signal) {
  if (engine !== running) return;
  const gone = ended.then(() => void 0);
  const init = { method: "POST", headers: { authorization: engine.token }, body: JSON.stringify(body) };
  const answering = $.http.fetch(`http://127.0.0.1:${engine.port}/`, init).catch(() => gone);
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(void 0), limitS * 1e3);
  });
  const answered = await Promise.race([answering, gone, late]).finally(() => clearTimeout(timer));
  try {
    if (answered?.status === 200) return JSON.parse(answered.text);
  } catch {
  }
  if (engine === running && !signal?.aborted)
    await giveUp($, answered ? UNREADABLE : `it did not answer for ${limitS} seconds`);
  return void 0;
}
async function answerAside($, { of, ops }) {
  const engine = running;
  const answers = await performAll($, ops);
  if (engine) await post($, engine, { of, answers }, LIMIT_S);
}
function register(on) {
  on("classic.SessionStart", onStart).catch(pass);
  on("classic.PostToolBatch", onBatch).catch(pass);
  on("session.start", onBegin).catch(pass);
  on("session.append", onRow).catch(pass);
  on("session.compact", onCompaction).catch(pass);
  on("session.measure", onEvent).catch(pass);
  on("session.end", onEvent).catch(pass);
  on("tool.check", { tool: "mcp__plimsoll__recall" }, allow).catch(pass);
  on("tool.describe", onDescribed).catch(pass);
  on("tool.call", onCall).catch(pass);
  on("command.run", { command: ["plimsoll", "caveman"] }, onEvent).catch(pass);
  on("ui.render", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    pass
  );
}
var screen = createScreen();
async function pass(_, e, next) {
  return next(e);
}
async function onStart($, e, next) {
  void startEngine($);
  await $.env.set("PLIMSOLL_MODULE", "1");
  return e.source === "compact" ? onEvent($, e, next) : next(e);
}
async function onBegin($, e, next) {
  await startEngine($);
  noteEvent($, next, { event: "session.start", e: {} });
  return next(e);
}
async function onBatch($, e, next) {
  await askEngine($, next, { event: next.event ?? "", e: { agent_id: e.agent_id }, isPassed: true });
  return next(e);
}
async function onEvent($, e, next) {
  return askEngine($, next, { event: next.event ?? "", e });
}
async function onRow($, e, next) {
  const isResult = e.door === "tool-result";
  const text = isResult ? JSON.stringify(e.message) : "";
  const mayFold = isResult && (text.length >= rule.foldFrom || text.includes("<persisted-output>"));
  const waits = rule.holdsRows || e.door === "prompt" || mayFold;
  const result = await (waits ? onEvent($, e, next) : passOn($, next, { event: "session.append", e }));
  if (!rule.isRestating) screen.saw(e);
  return result;
}
async function onCall($, e, next) {
  if (e.tool === RECALL_TOOL) return onEvent($, e, next);
  const isFree = rule.heldTools?.includes(String(e.tool)) === false;
  const answer = isFree ? { e } : await askEngine($, next, { event: "tool.call", e }, () => ({ e }));
  const { e: given } = Object(answer);
  return given ? passOn($, next, { event: "tool.called", e }, given) : answer;
}
async function passOn($, next, raised, given = raised.e) {
  const result = await next(given);
  noteEvent($, next, { ...raised, result });
  return result;
}
async function onDescribed(_, e, next) {
  const described = await next(e);
  return rule.deferred.includes(String(e.tool)) ? { isDeferred: true, ...Object(described) } : described;
}
async function allow() {
  return { decision: "allow" };
}
async function onCompaction($, e, next) {
  const isOurs = ownLine !== void 0 && e.trigger === "auto";
  const alone = isOurs ? () => ({ skip: "Plimsoll does not answer" }) : next;
  const answer = await askEngine($, next, { event: "session.compact", e }, alone);
  screen.answered(answer);
  return answer;
}
async function onDrawn($, e, next) {
  return e.component === "PromptHint" ? next(addHint(e)) : drawRow($, screen, e, next);
}
export {
  register
};
