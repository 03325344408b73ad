PRAGMA application_id = 1685092195;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE entries (
            sequence    INTEGER PRIMARY KEY CHECK (sequence > 0),
            budget      TEXT NOT NULL,
            kind        TEXT NOT NULL,
            recorded_at TEXT NOT NULL,
            request     TEXT,
            answers     INTEGER UNIQUE REFERENCES entries (sequence),
            content     TEXT NOT NULL,
            hash        TEXT NOT NULL
        );
INSERT INTO "entries" VALUES(1,'study','created','2026-11-19T06:42:50.046Z',NULL,NULL,'{"balance":{"rule":"basic","spent":"0","total":"1"},"description":"Format 1"}','e8bd8358390aa1d109d016c6506dc441ae6612060e08f08424d8e7f5e7a47eb0');
INSERT INTO "entries" VALUES(2,'study','reserved','2026-11-19T06:42:50.081Z','964e1974beec610ee1ef1d9d44cd32dacb0186ddb89b36576e6b3abb9babb871',NULL,'{"balance":{"rule":"basic","spent":"0.1","total":"1"},"charge":{"amount":"0.1"},"event":{"analysis":{"alternative":"two-sided","method":"auto"},"dataset":{"name":"trial","version":"1"},"outcomes":[{"columns":["after","before"],"epsilon":"0.1"}],"procedure":"pratt","reading":{"missing":"raise"},"software":"dpwilcoxon 0.1.0"},"owner":"442a0574679f81db1e62878a3ae8d750"}','95a081140a045bb822374cbd1b458df4d96cde93a0fdceb57c650262c69c7319');
INSERT INTO "entries" VALUES(3,'study','released','2026-11-19T06:42:50.380Z',NULL,2,'{"results":[{"alternative":"two-sided","epsilon":"0.1","largest":30,"lattice":2,"log_pvalue":-0.7847539403745015,"method":"exact","n":5,"noise":"discrete-laplace","noise_scale":200.00000000000003,"procedure":"pratt","released":158,"version":"0.1.0"}]}','f3db6afa84da15f9f7658d1cd40931a758eb6f1e3a7b2d64750cbbcd4a101001');
INSERT INTO "entries" VALUES(4,'study','raised','2026-11-19T06:42:50.386Z',NULL,NULL,'{"balance":{"rule":"basic","spent":"0.1","total":"1.5"},"reason":"a second round"}','24739edef05695c75c5b06d77f370ddd46d33b3f965c30a90abcda62ac47aacf');
INSERT INTO "entries" VALUES(5,'study','reserved','2026-11-19T06:42:50.391Z',NULL,NULL,'{"balance":{"rule":"basic","spent":"13/30","total":"1.5"},"charge":{"amount":"1/3"},"event":{"analysis":{"alternative":"two-sided","method":"auto"},"dataset":null,"outcomes":[{"columns":[],"epsilon":"1/3"}],"procedure":"pratt","reading":{"missing":"raise"},"software":"dpwilcoxon 0.1.0"},"owner":"8fe777d569ff3f7693d49667704c02dc"}','3804bf1758ca99ec4b3f97a98c11232ec6e7fbaabfdf189d819837e2414c6412');
INSERT INTO "entries" VALUES(6,'study','reserved','2026-11-19T06:42:50.400Z','e82d823f78c34ac2e1c66d18bfbab6a34deed3fa4a828ec4d7b455c59f8bb093',NULL,'{"balance":{"rule":"basic","spent":"19/30","total":"1.5"},"charge":{"amount":"0.2"},"event":{"analysis":{"alternative":"two-sided","method":"auto"},"dataset":{"name":"trial","version":"1"},"outcomes":[{"columns":["a"],"epsilon":"0.1"},{"columns":["b"],"epsilon":"0.1"}],"procedure":"pratt","reading":{"missing":"raise"},"software":"dpwilcoxon 0.1.0"},"owner":"4b0214e276cd3325edb4042aa05bd06a"}','b64481e3237b5a489ae4caf5fddf6a9c02bd8b87c37b7bb3c479db734cf2558d');
INSERT INTO "entries" VALUES(7,'study','released','2026-11-19T06:42:50.407Z',NULL,6,'{"results":[{"alternative":"two-sided","epsilon":"0.1","largest":30,"lattice":2,"log_pvalue":-0.8747539403745016,"method":"exact","n":5,"noise":"discrete-laplace","noise_scale":200.00000000000003,"procedure":"pratt","released":-176,"version":"0.1.0"},{"alternative":"two-sided","epsilon":"0.1","largest":30,"lattice":2,"log_pvalue":-0.08992491416899207,"method":"exact","n":5,"noise":"discrete-laplace","noise_scale":200.00000000000003,"procedure":"pratt","released":-19,"version":"0.1.0"}]}','d83926f1b5451f0de4cc19592a826b3e86c9c23a63a22699724b85e39fb4f544');
CREATE UNIQUE INDEX budgets ON entries (budget) WHERE kind = 'created';
CREATE INDEX balances ON entries (budget, sequence) WHERE kind <> 'released';
CREATE INDEX requests ON entries (budget, request) WHERE request IS NOT NULL;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never changed'); END;
CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never removed'); END;
COMMIT;
