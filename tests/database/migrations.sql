-- upgrade 0001

CREATE TABLE match (
    id SERIAL NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    client_key VARCHAR(48), 
    variant VARCHAR(60) NOT NULL, 
    house JSON NOT NULL, 
    ruleset TEXT NOT NULL, 
    digest VARCHAR(64) NOT NULL, 
    seats JSON NOT NULL, 
    sides JSON NOT NULL, 
    start JSON NOT NULL, 
    first_dealer VARCHAR(8), 
    title VARCHAR(60) NOT NULL, 
    played_on VARCHAR(10), 
    place VARCHAR(60), 
    note VARCHAR(500), 
    CONSTRAINT pk_match PRIMARY KEY (id), 
    CONSTRAINT uq_match_client_key UNIQUE (client_key)
);

CREATE TABLE link (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    match_id INTEGER NOT NULL, 
    role VARCHAR(16) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    revoked_at TIMESTAMP WITH TIME ZONE, 
    CONSTRAINT pk_link PRIMARY KEY (id), 
    CONSTRAINT fk_link_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT uq_link_code UNIQUE (code)
);

CREATE INDEX ix_link_match_id ON link (match_id);

CREATE TABLE event (
    id SERIAL NOT NULL, 
    match_id INTEGER NOT NULL, 
    seq INTEGER NOT NULL, 
    client_key VARCHAR(36) NOT NULL, 
    kind VARCHAR(16) NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    actor VARCHAR(40) NOT NULL, 
    payload JSON NOT NULL, 
    CONSTRAINT pk_event PRIMARY KEY (id), 
    CONSTRAINT fk_event_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT uq_event_match_id_seq UNIQUE (match_id, seq), 
    CONSTRAINT uq_event_match_id_client_key UNIQUE (match_id, client_key)
);

CREATE TABLE device_match (
    device VARCHAR(64) NOT NULL, 
    match_id INTEGER NOT NULL, 
    link_id INTEGER NOT NULL, 
    last_seen TIMESTAMP WITH TIME ZONE NOT NULL, 
    CONSTRAINT pk_device_match PRIMARY KEY (device, match_id), 
    CONSTRAINT fk_device_match_link_id_link FOREIGN KEY(link_id) REFERENCES link (id) ON DELETE CASCADE, 
    CONSTRAINT fk_device_match_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE
);

CREATE INDEX ix_device_match_link_id ON device_match (link_id);

CREATE INDEX ix_device_match_match_id ON device_match (match_id);

-- downgrade 0001

DROP TABLE device_match;

DROP TABLE event;

DROP TABLE link;

DROP TABLE match;

-- upgrade 0002

CREATE TABLE house_ruleset (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    client_key VARCHAR(36) NOT NULL, 
    CONSTRAINT pk_house_ruleset PRIMARY KEY (id), 
    CONSTRAINT uq_house_ruleset_code UNIQUE (code), 
    CONSTRAINT uq_house_ruleset_client_key UNIQUE (client_key)
);

CREATE TABLE house_version (
    id SERIAL NOT NULL, 
    house_id INTEGER NOT NULL, 
    seq INTEGER NOT NULL, 
    client_key VARCHAR(36) NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    actor VARCHAR(40) NOT NULL, 
    name VARCHAR(60) NOT NULL, 
    variant VARCHAR(60) NOT NULL, 
    options JSON NOT NULL, 
    notes JSON NOT NULL, 
    retired BOOLEAN NOT NULL, 
    CONSTRAINT pk_house_version PRIMARY KEY (id), 
    CONSTRAINT fk_house_version_house_id_house_ruleset FOREIGN KEY(house_id) REFERENCES house_ruleset (id) ON DELETE CASCADE, 
    CONSTRAINT uq_house_version_house_id_seq UNIQUE (house_id, seq), 
    CONSTRAINT uq_house_version_house_id_client_key UNIQUE (house_id, client_key)
);

CREATE TABLE device_house (
    device VARCHAR(64) NOT NULL, 
    house_id INTEGER NOT NULL, 
    last_seen TIMESTAMP WITH TIME ZONE NOT NULL, 
    CONSTRAINT pk_device_house PRIMARY KEY (device, house_id), 
    CONSTRAINT fk_device_house_house_id_house_ruleset FOREIGN KEY(house_id) REFERENCES house_ruleset (id) ON DELETE CASCADE
);

CREATE INDEX ix_device_house_house_id ON device_house (house_id);

-- downgrade 0002

DROP TABLE device_house;

DROP TABLE house_version;

DROP TABLE house_ruleset;

-- upgrade 0003

ALTER TABLE link ADD COLUMN seat VARCHAR(8);

ALTER TABLE link ADD COLUMN revoked_by VARCHAR(40);

CREATE TABLE invitation (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    pin VARCHAR(8), 
    match_id INTEGER NOT NULL, 
    role VARCHAR(16) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    ended_at TIMESTAMP WITH TIME ZONE, 
    CONSTRAINT pk_invitation PRIMARY KEY (id), 
    CONSTRAINT fk_invitation_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT uq_invitation_code UNIQUE (code), 
    CONSTRAINT uq_invitation_pin UNIQUE (pin)
);

CREATE INDEX ix_invitation_match_id ON invitation (match_id);

-- downgrade 0003

DROP TABLE invitation;

ALTER TABLE link DROP COLUMN revoked_by;

ALTER TABLE link DROP COLUMN seat;

-- upgrade 0004

ALTER TABLE invitation ALTER COLUMN pin TYPE VARCHAR(16);

UPDATE invitation SET pin = NULL;

ALTER TABLE link ADD COLUMN seat_since INTEGER;

ALTER TABLE link ADD COLUMN device VARCHAR(64);

ALTER TABLE link ADD CONSTRAINT uq_link_match_id_device UNIQUE (match_id, device);

CREATE TABLE wrong_pin (
    network VARCHAR(64) NOT NULL, 
    seq INTEGER NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    CONSTRAINT pk_wrong_pin PRIMARY KEY (network, seq)
);

CREATE INDEX ix_wrong_pin_at ON wrong_pin (at);

-- downgrade 0004

DROP TABLE wrong_pin;

ALTER TABLE link DROP CONSTRAINT uq_link_match_id_device;

ALTER TABLE link DROP COLUMN device;

ALTER TABLE link DROP COLUMN seat_since;

UPDATE invitation SET pin = NULL;

ALTER TABLE invitation ALTER COLUMN pin TYPE VARCHAR(8);

-- upgrade 0005

CREATE TABLE ending (
    match_id INTEGER NOT NULL, 
    status VARCHAR(16), 
    winners JSON NOT NULL, 
    scores JSON NOT NULL, 
    CONSTRAINT pk_ending PRIMARY KEY (match_id), 
    CONSTRAINT fk_ending_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE
);

INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM "match";

-- downgrade 0005

DROP TABLE ending;

-- upgrade 0006

CREATE TABLE import_run (
    id SERIAL NOT NULL, 
    device VARCHAR(64), 
    network VARCHAR(64), 
    started_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    alive_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    running BOOLEAN, 
    CONSTRAINT pk_import_run PRIMARY KEY (id), 
    CONSTRAINT uq_import_run_running UNIQUE (running)
);

-- downgrade 0006

DROP TABLE import_run;

-- upgrade 0007

CREATE TABLE book (
    id SERIAL NOT NULL, 
    uid VARCHAR(22) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    client_key VARCHAR(48) NOT NULL, 
    CONSTRAINT pk_book PRIMARY KEY (id), 
    CONSTRAINT uq_book_client_key UNIQUE (client_key), 
    CONSTRAINT uq_book_uid UNIQUE (uid)
);

CREATE TABLE book_event (
    id SERIAL NOT NULL, 
    book_id INTEGER NOT NULL, 
    seq INTEGER NOT NULL, 
    client_key VARCHAR(48) NOT NULL, 
    kind VARCHAR(16) NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    actor VARCHAR(40) NOT NULL, 
    payload JSON NOT NULL, 
    CONSTRAINT pk_book_event PRIMARY KEY (id), 
    CONSTRAINT fk_book_event_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE CASCADE, 
    CONSTRAINT uq_book_event_book_id_client_key UNIQUE (book_id, client_key), 
    CONSTRAINT uq_book_event_book_id_seq UNIQUE (book_id, seq)
);

CREATE TABLE book_link (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    book_id INTEGER NOT NULL, 
    role VARCHAR(16) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    revoked_at TIMESTAMP WITH TIME ZONE, 
    revoked_by VARCHAR(40), 
    device VARCHAR(64), 
    holder VARCHAR(24), 
    CONSTRAINT pk_book_link PRIMARY KEY (id), 
    CONSTRAINT fk_book_link_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE CASCADE, 
    CONSTRAINT uq_book_link_book_id_device UNIQUE (book_id, device), 
    CONSTRAINT uq_book_link_code UNIQUE (code)
);

CREATE INDEX ix_book_link_book_id ON book_link (book_id);

CREATE TABLE device_book (
    device VARCHAR(64) NOT NULL, 
    book_id INTEGER NOT NULL, 
    link_id INTEGER NOT NULL, 
    last_seen TIMESTAMP WITH TIME ZONE NOT NULL, 
    CONSTRAINT pk_device_book PRIMARY KEY (device, book_id), 
    CONSTRAINT fk_device_book_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE CASCADE, 
    CONSTRAINT fk_device_book_link_id_book_link FOREIGN KEY(link_id) REFERENCES book_link (id) ON DELETE CASCADE
);

CREATE INDEX ix_device_book_book_id ON device_book (book_id);

CREATE INDEX ix_device_book_link_id ON device_book (link_id);

CREATE TABLE book_match (
    match_id INTEGER NOT NULL, 
    book_id INTEGER, 
    CONSTRAINT pk_book_match PRIMARY KEY (match_id), 
    CONSTRAINT fk_book_match_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE CASCADE, 
    CONSTRAINT fk_book_match_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE
);

CREATE INDEX ix_book_match_book_id ON book_match (book_id);

CREATE TABLE match_figures (
    match_id INTEGER NOT NULL, 
    version INTEGER NOT NULL, 
    edition INTEGER NOT NULL, 
    figures JSON NOT NULL, 
    details TEXT NOT NULL, 
    CONSTRAINT pk_match_figures PRIMARY KEY (match_id), 
    CONSTRAINT fk_match_figures_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE
);

CREATE INDEX ix_event_listed ON event (match_id) WHERE kind IN ('rename', 'sits_in', 'deletion', 'undeletion', 'undo', 'redo');

ALTER TABLE match ADD COLUMN uid VARCHAR(22);

ALTER TABLE match ALTER COLUMN uid SET NOT NULL;

ALTER TABLE match ADD CONSTRAINT uq_match_uid UNIQUE (uid);

ALTER TABLE link ADD COLUMN book_link_id INTEGER;

ALTER TABLE link ADD CONSTRAINT fk_link_book_link_id_book_link FOREIGN KEY(book_link_id) REFERENCES book_link (id) ON DELETE SET NULL;

CREATE INDEX ix_link_book_link_id ON link (book_link_id);

ALTER TABLE link ADD CONSTRAINT uq_link_match_id_book_link_id UNIQUE (match_id, book_link_id);

ALTER TABLE invitation ALTER COLUMN match_id DROP NOT NULL;

ALTER TABLE invitation ADD COLUMN book_id INTEGER;

ALTER TABLE invitation ADD CONSTRAINT fk_invitation_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE CASCADE;

CREATE INDEX ix_invitation_book_id ON invitation (book_id);

-- downgrade 0007

DROP INDEX ix_event_listed;

DELETE FROM invitation WHERE match_id IS NULL;

DROP INDEX ix_invitation_book_id;

ALTER TABLE invitation DROP CONSTRAINT fk_invitation_book_id_book;

ALTER TABLE invitation DROP COLUMN book_id;

ALTER TABLE invitation ALTER COLUMN match_id SET NOT NULL;

ALTER TABLE link DROP CONSTRAINT uq_link_match_id_book_link_id;

DROP INDEX ix_link_book_link_id;

ALTER TABLE link DROP CONSTRAINT fk_link_book_link_id_book_link;

ALTER TABLE link DROP COLUMN book_link_id;

ALTER TABLE match DROP CONSTRAINT uq_match_uid;

ALTER TABLE match DROP COLUMN uid;

DROP TABLE match_figures;

DROP TABLE book_match;

DROP TABLE device_book;

DROP TABLE book_link;

DROP TABLE book_event;

DROP TABLE book;

-- upgrade 0008

CREATE TABLE night (
    id SERIAL NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    client_key VARCHAR(36) NOT NULL, 
    title VARCHAR(60) NOT NULL, 
    rounds INTEGER NOT NULL, 
    size INTEGER NOT NULL, 
    variant VARCHAR(60) NOT NULL, 
    CONSTRAINT pk_night PRIMARY KEY (id), 
    CONSTRAINT uq_night_client_key UNIQUE (client_key)
);

CREATE TABLE night_event (
    id SERIAL NOT NULL, 
    night_id INTEGER NOT NULL, 
    seq INTEGER NOT NULL, 
    client_key VARCHAR(36) NOT NULL, 
    kind VARCHAR(16) NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    actor VARCHAR(40) NOT NULL, 
    payload JSON NOT NULL, 
    match_id INTEGER, 
    CONSTRAINT pk_night_event PRIMARY KEY (id), 
    CONSTRAINT fk_night_event_night_id_night FOREIGN KEY(night_id) REFERENCES night (id) ON DELETE CASCADE, 
    CONSTRAINT fk_night_event_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE SET NULL, 
    CONSTRAINT uq_night_event_night_id_seq UNIQUE (night_id, seq), 
    CONSTRAINT uq_night_event_night_id_client_key UNIQUE (night_id, client_key)
);

CREATE INDEX ix_night_event_match_id ON night_event (match_id);

CREATE TABLE night_link (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    night_id INTEGER NOT NULL, 
    role VARCHAR(16) NOT NULL, 
    device VARCHAR(64) NOT NULL, 
    pair INTEGER, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    revoked_at TIMESTAMP WITH TIME ZONE, 
    CONSTRAINT pk_night_link PRIMARY KEY (id), 
    CONSTRAINT fk_night_link_night_id_night FOREIGN KEY(night_id) REFERENCES night (id) ON DELETE CASCADE, 
    CONSTRAINT uq_night_link_code UNIQUE (code), 
    CONSTRAINT uq_night_link_night_id_device UNIQUE (night_id, device)
);

CREATE INDEX ix_night_link_device ON night_link (device);

CREATE TABLE night_invitation (
    id SERIAL NOT NULL, 
    code VARCHAR(32) NOT NULL, 
    pin VARCHAR(16), 
    night_id INTEGER NOT NULL, 
    role VARCHAR(16) NOT NULL, 
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL, 
    ended_at TIMESTAMP WITH TIME ZONE, 
    CONSTRAINT pk_night_invitation PRIMARY KEY (id), 
    CONSTRAINT fk_night_invitation_night_id_night FOREIGN KEY(night_id) REFERENCES night (id) ON DELETE CASCADE, 
    CONSTRAINT uq_night_invitation_code UNIQUE (code), 
    CONSTRAINT uq_night_invitation_pin UNIQUE (pin)
);

CREATE INDEX ix_night_invitation_night_id ON night_invitation (night_id);

-- downgrade 0008

DROP TABLE night_invitation;

DROP TABLE night_link;

DROP TABLE night_event;

DROP TABLE night;

-- upgrade 0009

CREATE INDEX ix_device_match_device_last_seen ON device_match (device, last_seen);

CREATE INDEX ix_ending_match_id ON ending (match_id) WHERE status IS NULL;

-- downgrade 0009

DROP INDEX ix_ending_match_id;

DROP INDEX ix_device_match_device_last_seen;

-- upgrade 0010

CREATE TABLE money_change (
    match_id INTEGER NOT NULL, 
    earlier_id INTEGER NOT NULL, 
    first_id INTEGER NOT NULL, 
    CONSTRAINT pk_money_change PRIMARY KEY (match_id), 
    CONSTRAINT fk_money_change_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT fk_money_change_earlier_id_match FOREIGN KEY(earlier_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT fk_money_change_first_id_match FOREIGN KEY(first_id) REFERENCES match (id) ON DELETE CASCADE
);

CREATE INDEX ix_money_change_earlier_id ON money_change (earlier_id);

CREATE INDEX ix_money_change_first_id ON money_change (first_id);

CREATE TABLE carried_link (
    link_id INTEGER NOT NULL, 
    first_id INTEGER NOT NULL, 
    CONSTRAINT pk_carried_link PRIMARY KEY (link_id), 
    CONSTRAINT fk_carried_link_link_id_link FOREIGN KEY(link_id) REFERENCES link (id) ON DELETE CASCADE, 
    CONSTRAINT fk_carried_link_first_id_link FOREIGN KEY(first_id) REFERENCES link (id) ON DELETE CASCADE
);

CREATE INDEX ix_carried_link_first_id ON carried_link (first_id);

-- downgrade 0010

DROP TABLE carried_link;

DROP TABLE money_change;

-- upgrade 0011

ALTER TABLE night ADD COLUMN house JSON;

UPDATE night SET house = '{}';

ALTER TABLE night ALTER COLUMN house SET NOT NULL;

-- downgrade 0011

ALTER TABLE night DROP COLUMN house;

-- upgrade 0012

CREATE TABLE hand_draft (
    match_id INTEGER NOT NULL, 
    counter INTEGER NOT NULL, 
    link_id INTEGER NOT NULL, 
    version INTEGER NOT NULL, 
    at TIMESTAMP WITH TIME ZONE NOT NULL, 
    fields JSON NOT NULL, 
    CONSTRAINT pk_hand_draft PRIMARY KEY (match_id), 
    CONSTRAINT fk_hand_draft_match_id_match FOREIGN KEY(match_id) REFERENCES match (id) ON DELETE CASCADE, 
    CONSTRAINT fk_hand_draft_link_id_link FOREIGN KEY(link_id) REFERENCES link (id) ON DELETE CASCADE
);

CREATE INDEX ix_hand_draft_link_id ON hand_draft (link_id);

-- downgrade 0012

DROP TABLE hand_draft;

-- upgrade 0013

ALTER TABLE night ADD COLUMN uid VARCHAR(22);

ALTER TABLE night ADD COLUMN book_id INTEGER;

ALTER TABLE night ADD CONSTRAINT fk_night_book_id_book FOREIGN KEY(book_id) REFERENCES book (id) ON DELETE SET NULL;

CREATE INDEX ix_night_book_id ON night (book_id);

UPDATE night SET book_id = (SELECT device_book.book_id FROM night_link JOIN device_book ON device_book.device = night_link.device JOIN book_link ON book_link.id = device_book.link_id WHERE night_link.night_id = night.id AND night_link.role = 'owner' AND night_link.revoked_at IS NULL AND book_link.revoked_at IS NULL AND book_link.role <> 'watcher' ORDER BY night_link.id, device_book.last_seen DESC LIMIT 1);

ALTER TABLE night ALTER COLUMN uid SET NOT NULL;

ALTER TABLE night ADD CONSTRAINT uq_night_uid UNIQUE (uid);

ALTER TABLE night_link ADD COLUMN book_link_id INTEGER;

ALTER TABLE night_link ADD CONSTRAINT fk_night_link_book_link_id_book_link FOREIGN KEY(book_link_id) REFERENCES book_link (id) ON DELETE SET NULL;

CREATE INDEX ix_night_link_book_link_id ON night_link (book_link_id);

-- downgrade 0013

DROP INDEX ix_night_link_book_link_id;

ALTER TABLE night_link DROP CONSTRAINT fk_night_link_book_link_id_book_link;

ALTER TABLE night_link DROP COLUMN book_link_id;

ALTER TABLE night DROP CONSTRAINT uq_night_uid;

DROP INDEX ix_night_book_id;

ALTER TABLE night DROP CONSTRAINT fk_night_book_id_book;

ALTER TABLE night DROP COLUMN book_id;

ALTER TABLE night DROP COLUMN uid;

-- upgrade 0014

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('tie_rule', 'higher_score'))::json WHERE variant = 'st-paul-schmier' AND (options->'tie_rule') IS NULL;

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('turned_cards', 'last'))::json WHERE variant = 'seven-up' AND (options->'turned_cards') IS NULL AND coalesce(options->>'turned_jack', '') <> 'false';

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('gift_to', 'beggar'))::json WHERE variant = 'seven-up' AND (options->'gift_to') IS NULL;

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('turned_cards', 'once'))::json WHERE variant = 'trinidad-all-fours' AND (options->'turned_cards') IS NULL;

UPDATE night SET house = (house::jsonb || jsonb_build_object('tie_rule', 'higher_score'))::json WHERE variant = 'st-paul-schmier' AND (house->'tie_rule') IS NULL;

UPDATE night SET house = (house::jsonb || jsonb_build_object('turned_cards', 'last'))::json WHERE variant = 'seven-up' AND (house->'turned_cards') IS NULL AND coalesce(house->>'turned_jack', '') <> 'false';

UPDATE night SET house = (house::jsonb || jsonb_build_object('gift_to', 'beggar'))::json WHERE variant = 'seven-up' AND (house->'gift_to') IS NULL;

UPDATE night SET house = (house::jsonb || jsonb_build_object('turned_cards', 'once'))::json WHERE variant = 'trinidad-all-fours' AND (house->'turned_cards') IS NULL;

-- downgrade 0014

UPDATE house_version SET options = (options::jsonb - 'turned_cards')::json;

UPDATE house_version SET options = (options::jsonb - 'gift_to')::json;

UPDATE night SET house = (house::jsonb - 'turned_cards')::json;

UPDATE night SET house = (house::jsonb - 'gift_to')::json;

-- upgrade 0015

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('first_lead', 'trump'))::json WHERE variant IN ('st-paul-schmier', 'schmier-for-five', 'minnesota-smear', 'nine-point-pitch', 'eleven-point-pitch') AND (options->'first_lead') IS NULL;

UPDATE night SET house = (house::jsonb || jsonb_build_object('first_lead', 'trump'))::json WHERE variant IN ('st-paul-schmier', 'schmier-for-five', 'minnesota-smear', 'nine-point-pitch', 'eleven-point-pitch') AND (house->'first_lead') IS NULL;

-- downgrade 0015

-- upgrade 0016

UPDATE house_version SET options = (options::jsonb || jsonb_build_object('all_pass', NULL))::json WHERE variant IN ('hoyle-auction-pitch', 'pitch-with-joker') AND (options->'all_pass') IS NULL;

UPDATE night SET house = (house::jsonb || jsonb_build_object('all_pass', NULL))::json WHERE variant IN ('hoyle-auction-pitch', 'pitch-with-joker') AND (house->'all_pass') IS NULL;

-- downgrade 0016

-- upgrade 0017

ALTER TABLE match ADD COLUMN zone VARCHAR(40);

-- downgrade 0017

ALTER TABLE match DROP COLUMN zone;

-- upgrade 0018

ALTER TABLE device_book ADD COLUMN chosen_at TIMESTAMP WITH TIME ZONE;

UPDATE device_book SET chosen_at = last_seen;

-- downgrade 0018

ALTER TABLE device_book DROP COLUMN chosen_at;

-- upgrade 0019

DELETE FROM ending WHERE status = 'stopped' AND match_id IN (SELECT match_id FROM event WHERE kind = 'agreement');

INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM "match" WHERE id IN (SELECT match_id FROM event WHERE kind = 'agreement') AND id NOT IN (SELECT match_id FROM ending);

ALTER TABLE link DROP COLUMN seat_since;

-- downgrade 0019

ALTER TABLE link ADD COLUMN seat_since INTEGER;

